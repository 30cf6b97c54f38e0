import type { Profile } from '../../model/profile-document.ts';

/**
 * The profile as JSON Resume 1.0.0. An entry with several roles becomes as many `work` items, told to belong together by
 * their `id`. What that format has no field for stands in additional properties beside its kin (`basics.domains`,
 * `projects[].links`); left out is what is the owner's alone: `owner_email`, `public`, `resume.pdf_url`.
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

const open = '9999-12-31';

function toWork({ id, company: name, summary, roles, ...stay }: Profile['experience'][number]): object[] {
  const { company_start_date: startDate, company_end_date: endDate } = stay;
  if (roles.length === 0) return [{ id, name, startDate, endDate: endDate ?? undefined, summary }];
  const firstDay = roles.map(({ start_date }) => start_date).sort()[0];
  const lastDay = roles
    .map(({ end_date }) => end_date ?? open)
    .sort()
    .at(-1);
  return roles.map((role, index) => ({
    id,
    name,
    position: role.title,
    startDate: role.start_date,
    endDate: role.end_date ?? undefined,
    highlights: role.accomplishments,
    ...(index === 0 && {
      summary,
      // What the roles do not tell of the stay.
      companyStartDate: firstDay === startDate ? undefined : startDate,
      companyEndDate: lastDay === (endDate ?? open) ? undefined : (endDate ?? 'present'),
    }),
  }));
}
