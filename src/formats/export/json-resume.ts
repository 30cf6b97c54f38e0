import { unionOf } from '../../model/dates.ts';
import type { Profile } from '../../model/profile-document.ts';

/**
 * Converts a profile to JSON Resume 1.0.0. An entry with several roles becomes a `work` item for each role, with the same
 * `id`. Values without a field in that format are in additional properties (`basics.domains`, `projects[].links`). Values for
 * the owner only are left out: `owner_email`, `public`, `resume.pdf_url`.
 */
export function toJsonResume(profile: Profile, version: string) {
  const { candidate, experience, projects, availability, resume } = profile;
  const [first, ...rest] = resume.links ?? [];
  const homepage = first?.label === undefined ? first : undefined;
  return {
    $schema: 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json',
    basics: {
      id: candidate.id,
      name: candidate.name,
      label: candidate.title,
      email: resume.email,
      phone: resume.phone,
      url: homepage?.url,
      summary: candidate.summary,
      location: { city: candidate.location },
      profiles: (homepage ? rest : resume.links)?.map(({ label, url }) => ({ network: label, url })),
      yearsExperience: candidate.years_experience,
      domains: candidate.domains,
      availability: availability.status,
    },
    work: experience.flatMap(toWork),
    projects: projects.map(({ id, name, summary, tags, links }) => ({
      id,
      name,
      description: summary,
      keywords: tags,
      url: links.live ?? links.github ?? links.details,
      links,
    })),
    skills: resume.skills.map((name) => ({ name })),
    education: resume.education?.map((entry) => ({
      institution: entry.institution,
      url: entry.url,
      area: entry.area,
      studyType: entry.degree,
      startDate: entry.start_date,
      endDate: entry.end_date ?? undefined,
      score: entry.score,
      courses: entry.details,
    })),
    certificates: resume.certifications,
    languages: resume.languages,
    publications: resume.publications?.map(({ date, ...entry }) => ({ ...entry, releaseDate: date })),
    meta: { version: 'v1.0.0', generator: `candidate-profile ${version}` },
  };
}

/** The `work` items of an entry: one for each role, or one for an entry without roles. */
function toWork(entry: Profile['experience'][number]): object[] {
  const { id, company: name, company_start_date: startDate, company_end_date: endDate, summary, roles } = entry;
  if (roles.length === 0) return [{ id, name, startDate, endDate: endDate ?? undefined, summary }];
  const { from, until } = unionOf(roles.map(({ start_date, end_date }) => ({ from: start_date, until: end_date })));
  return roles.map((role, index) => ({
    id,
    name,
    position: role.title,
    startDate: role.start_date,
    endDate: role.end_date ?? undefined,
    highlights: role.accomplishments,
    ...(index === 0 && {
      summary,
      // The dates at the company, if those of the roles do not imply them.
      companyStartDate: from === startDate ? undefined : startDate,
      companyEndDate: until === endDate ? undefined : (endDate ?? 'present'),
    }),
  }));
}
