import type { Profile } from '../../model/profile/profile-document.ts';

type Resume = Profile['resume'];

/** The sections of JSON Resume that hold what is under `resume` in a profile, and `sections`, which is our own. */
export function toBackground(resume: Resume): object {
  const { skills, skill_groups: groups, references } = resume;
  return {
    skills: groups
      ? groups.map(({ skills: keywords, ...group }) => ({ ...group, keywords }))
      : skills.map((name) => ({ name })),
    education: resume.education?.map(({ degree, details, start_date, end_date, ...entry }) => ({
      ...entry,
      studyType: degree,
      ...toPeriod({ start_date, end_date }),
      courses: details,
    })),
    certificates: resume.certifications,
    languages: resume.languages,
    publications: resume.publications?.map(({ date, ...entry }) => ({ ...entry, releaseDate: date })),
    awards: resume.awards,
    volunteer: resume.volunteer?.map(({ role, start_date, end_date, ...entry }) => ({
      ...entry,
      position: role,
      ...toPeriod({ start_date, end_date }),
    })),
    interests: resume.interests,
    references: references?.print ? references.entries : undefined,
    sections: resume.sections?.map(({ title, entries }) => ({
      title,
      entries: entries.map(({ start_date, end_date, ...entry }) => ({
        ...entry,
        ...toPeriod({ start_date, end_date }),
      })),
    })),
  };
}

interface Period {
  readonly start_date?: string | undefined;
  readonly end_date?: string | null | undefined;
}

/** The dates of an entry. In JSON Resume what goes on has no end, as what doesn't state one; `end: present` distinguishes them. */
export const toPeriod = ({ start_date, end_date }: Period) => ({
  startDate: start_date,
  endDate: end_date ?? undefined,
  end: end_date === null ? 'present' : undefined,
});
