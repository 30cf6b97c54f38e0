import { entryNamesOf, soleRoleOf } from '../../model/profile/entry-heads.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import type { SectionKey } from '../../model/profile/resume-section.ts';
import { given } from '../given.ts';
import { type Block, linked, list, paragraph, paragraphs } from './part.ts';
import type { Wording } from './wording.ts';

type Resume = Profile['resume'];
type Job = Profile['experience'][number];

/** The content of each section that has a key in the profile. */
export const sections: Record<SectionKey, (profile: Profile, wording: Wording) => Block[]> = {
  summary: ({ candidate }) => paragraphs(candidate.summary),
  experience: ({ experience }, wording) => experience.flatMap((job) => toJob(job, wording)),
  projects: ({ projects }, { part, dates, listed }) =>
    projects.map(({ name, role, start_date, end_date, summary, highlights, tags = [], links }) =>
      part(
        [name, role],
        undefined,
        dates(start_date, end_date),
        paragraphs(summary),
        list(highlights),
        listed(tags),
        linked(links.live, links.github, links.details),
      ),
    ),
  skills: ({ resume }, wording) => toSkills(resume, wording),
  education: ({ resume }, { part, dates }) =>
    (resume.education ?? []).map((school) =>
      part(
        entryNamesOf('education', school),
        school.location,
        dates(school.start_date, school.end_date),
        paragraphs(school.score),
        list(school.details),
        linked(school.url),
      ),
    ),
  certifications: ({ resume }, { part, dates }) =>
    (resume.certifications ?? []).map((entry) =>
      part(
        entryNamesOf('certifications', entry),
        undefined,
        dates(entry.date),
        paragraphs(entry.summary),
        linked(entry.url),
      ),
    ),
  languages: ({ resume }, { listed }) =>
    listed((resume.languages ?? []).map((spoken) => qualified(spoken.language, spoken.fluency))),
  publications: ({ resume }, { part, dates, listed }) =>
    (resume.publications ?? []).map(({ date, authors = [], summary, url, ...names }) =>
      part(
        entryNamesOf('publications', names),
        undefined,
        dates(date),
        listed(authors),
        paragraphs(summary),
        linked(url),
      ),
    ),
  awards: ({ resume }, { part, dates }) =>
    (resume.awards ?? []).map((entry) =>
      part(entryNamesOf('awards', entry), undefined, dates(entry.date), paragraphs(entry.summary), linked(entry.url)),
    ),
  volunteer: ({ resume }, { part, dates }) =>
    (resume.volunteer ?? []).map((work) =>
      part(
        entryNamesOf('volunteer', work),
        work.location,
        dates(work.start_date, work.end_date),
        paragraphs(work.summary),
        list(work.highlights),
        linked(work.url),
      ),
    ),
  interests: ({ resume }, { comma, listed }) =>
    listed((resume.interests ?? []).map(({ name, keywords = [] }) => qualified(name, keywords.join(comma)))),
  references: ({ resume: { references } }, { part }) =>
    references?.print
      ? references.entries.map(({ name, reference }) => part([name], undefined, '', paragraphs(reference)))
      : [],
};

const qualified = (name: string, by = '') => (by === '' ? name : `${name} (${by})`);

/** A job as one part, or the company with a part for each role. */
function toJob({ company, location, url, summary, roles, ...job }: Job, { part, dates }: Wording): Block[] {
  const tenure = dates(job.company_start_date, job.company_end_date);
  const about = [...paragraphs(summary), ...linked(url)];
  const sole = soleRoleOf({ ...job, roles });
  if (sole) return [part([sole.title, company], sole.location ?? location, tenure, about, list(sole.accomplishments))];
  // A company without a name is not a heading for its roles.
  const isHeading = company !== '' || roles.length === 0;
  const roleParts = roles.map((role) => {
    const place = role.location ?? location;
    return part(
      [role.title],
      isHeading && place === location ? undefined : place,
      dates(role.start_date, role.end_date),
      list(role.accomplishments),
    );
  });
  return isHeading ? [part([company], location, tenure, about, roleParts)] : [...about, ...roleParts];
}

/** A line for each group that has skills, and one for the groups that are a name and a level only. */
function toSkills({ skills, skill_groups: groups }: Resume, { comma, listed }: Wording): Block[] {
  if (groups === undefined) return listed(skills);
  const [full, bare] = [
    groups.filter((group) => group.skills.length > 0),
    groups.filter((group) => group.skills.length === 0),
  ];
  return [
    ...full.flatMap(({ name, level, skills }) => {
      const label = qualified(name ?? level ?? '', name === undefined ? '' : level);
      return paragraph([...given(label).map((text) => ({ strong: `${text}:` })), skills.join(comma)], ' ');
    }),
    ...listed(bare.flatMap(({ name, level }) => given(name && qualified(name, level)))),
  ];
}
