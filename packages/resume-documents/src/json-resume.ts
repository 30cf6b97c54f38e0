import { unionOf } from 'resume-profile/dates';
import { networkAt } from 'resume-profile/networks';
import type { Profile } from 'resume-profile/profile-document';
import { designShape } from 'resume-profile/resume-design';
import { skillsIn } from 'resume-profile/resume-document';

/**
 * Converts a profile to JSON Resume 1.0.0. An entry with several roles becomes a `work` item for each role, with the
 * same `id`. Values without a field in that format have additional properties (`basics.domains`, `projects[].links`,
 * `sections`), and the settings of the PDF's look are in `meta`. Empty texts, references unless they are printed, and
 * settings of the service (`owner_email`, `public`, `background`, `evidence`, `accent`, `resume.pdf_url`, `resume.photo`) are left out.
 */
export function toJsonResume(profile: Profile, version: string): Record<string, unknown> {
  const { experience, projects, resume } = profile;
  return withoutEmptyTexts({
    $schema: 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json',
    basics: toBasics(profile),
    work: experience.flatMap(toWork),
    projects: projects.map(({ id, name, summary: description, highlights, tags: keywords, role, links, ...dates }) => ({
      ...dated({ id, name, description, highlights, keywords, ...dates }),
      url: links.live ?? links.github ?? links.details,
      roles: role === undefined ? undefined : [role],
      links,
    })),
    ...toBackground(resume),
    meta: {
      version: 'v1.0.0',
      generator: `candidate-profile ${version}`,
      language: resume.language,
      order: resume.order,
      experienceOrder: resume.experience_order,
      titles: resume.titles,
      publicationStyle: resume.publication_style,
      design: designOf(resume),
    },
  });
}

/** The settings of the look; undefined without any. `meta.theme` would be the name of a package to other programs. */
function designOf(resume: Profile['resume']): object | undefined {
  const design = Object.entries(resume).filter(([key]) => key in designShape);
  return design.length === 0 ? undefined : Object.fromEntries(design);
}

const withoutEmptyTexts = <Data>(data: Data): Data =>
  JSON.parse(JSON.stringify(data, (_key, value) => (value === '' ? undefined : value)));

function toBasics({ candidate, availability, resume }: Profile): object {
  const { links, skills, skill_groups: groups } = resume;
  const sites = links?.filter(({ url }) => networkAt(url) === null) ?? [];
  const site = sites.find(({ label }) => label === undefined) ?? sites[0];
  return {
    id: candidate.id,
    name: candidate.name,
    label: candidate.title,
    email: resume.email,
    phone: resume.phone,
    url: site?.url,
    summary: candidate.summary,
    location: candidate.location === '' ? undefined : { city: candidate.location },
    profiles: links
      ?.filter((link) => link !== site)
      .map(({ label, url }) => ({ network: label ?? networkAt(url)?.name, username: networkAt(url)?.username, url })),
    links,
    yearsExperience: candidate.years_experience,
    domains: candidate.domains,
    // The skills, if the groups of skills do not imply them.
    skills: groups && String(skillsIn(groups)) !== String(skills) ? skills : undefined,
    availability: availability.status,
  };
}

/** The `work` items of an entry: one for each role, or one for an entry without roles. */
function toWork(entry: Profile['experience'][number]): object[] {
  const { id, company: name, company_start_date: startDate, company_end_date: endDate, summary, roles } = entry;
  const { url, location, section } = entry;
  if (roles.length === 0)
    return [{ id, name, location, url, startDate, endDate: endDate ?? undefined, summary, section }];
  const { from, until } = unionOf(roles.map(({ start_date, end_date }) => ({ from: start_date, until: end_date })));
  const hasOwnPlaces = roles.some((role) => role.location !== undefined);
  const hasOwnSummaries = roles.some((role) => role.summary !== undefined);
  return roles.map((role, index) => ({
    id,
    name,
    location: hasOwnPlaces ? role.location : location,
    url,
    position: role.title,
    startDate: role.start_date,
    endDate: role.end_date ?? undefined,
    highlights: role.accomplishments,
    summary: role.summary ?? (index === 0 && !hasOwnSummaries ? summary : undefined),
    section,
    ...(index === 0 && {
      // The company's fields besides its roles, if they do not imply them.
      companySummary: hasOwnSummaries ? summary || null : undefined,
      companyLocation: hasOwnPlaces ? location : undefined,
      companyStartDate: from === startDate ? undefined : startDate,
      companyEndDate: until === endDate ? undefined : (endDate ?? 'present'),
    }),
  }));
}

/** The sections of JSON Resume for the fields of `resume` in a profile, and our own `sections`. */
function toBackground(resume: Profile['resume']): object {
  const { skills, skill_groups: groups, references } = resume;
  return {
    skills: groups
      ? groups.map(({ skills: keywords, ...group }) => ({ ...group, keywords }))
      : skills.map((name) => ({ name })),
    education: resume.education?.map(({ degree: studyType, details: courses, ...entry }) => ({
      ...dated({ ...entry, studyType }),
      courses,
    })),
    certificates: resume.certifications,
    languages: resume.languages,
    publications: resume.publications?.map(({ date, ...entry }) => ({ ...entry, releaseDate: date })),
    awards: resume.awards,
    volunteer: resume.volunteer?.map(({ role: position, ...entry }) => dated({ ...entry, position })),
    interests: resume.interests,
    references: references?.print ? references.entries : undefined,
    sections: resume.sections?.map(({ title, entries }) => ({ title, entries: entries.map(dated) })),
  };
}

interface Period {
  readonly start_date?: string | undefined;
  readonly end_date?: string | null | undefined;
}

/**
 * An entry with its dates as JSON Resume names them, at its end. An entry that is still going on has no end date in
 * that format, and neither has one whose source states none; `end: present` distinguishes them.
 */
const dated = <Entry extends Period>({ start_date: startDate, end_date, ...entry }: Entry) => ({
  ...entry,
  startDate,
  endDate: end_date ?? undefined,
  end: end_date === null ? 'present' : undefined,
});
