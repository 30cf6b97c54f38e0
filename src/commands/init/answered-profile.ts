import { toCandidateKey, toFreeId, toId } from '../../formats/import/build/ids.ts';
import { Profile } from '../../model/profile/profile-document.ts';
import type { Answers } from './ask.ts';

type Entry = Profile['experience'][number];

/** Returns a profile with the answers, which must be valid; the rest is from the imported one, if any, with the candidate's id if `keepId` is set. */
export function toAnsweredProfile(answers: Answers, imported?: Profile, keepId = false): Profile {
  const { name = '', title = '', location = '', summary = '', status = '', email, years, background = '' } = answers;
  const { experience = [], resume = { skills: [] }, candidate, ...rest } = imported ?? {};
  return Profile.parse({
    projects: [],
    ...rest,
    ...(email && { owner_email: email }),
    candidate: {
      id: candidate && keepId ? candidate.id : toId('cand', toCandidateKey(name)),
      name,
      title,
      location,
      summary,
      years_experience: Number(years),
      domains: candidate?.domains ?? [],
    },
    experience: [...toCurrentJob(answers, experience), ...experience],
    availability: { status },
    resume: { ...resume, skills: [...new Set([...resume.skills, ...skillsIn(answers)])] },
    ...(/^y/i.test(background) && { background: true }),
  });
}

const skillsIn = ({ skills = '' }: Answers): string[] =>
  skills
    .split(',')
    .map((skill) => skill.trim())
    .filter((skill) => skill !== '');

/** The current job in the answers, if any. */
function toCurrentJob({ company, role = '', since = '' }: Answers, others: readonly Entry[]): Entry[] {
  if (!company) return [];
  const start_date = `${since}-01-01`.slice(0, 10);
  const job: Entry = {
    id: toFreeId(toId('exp', company), new Set(others.map(({ id }) => id))),
    company,
    company_start_date: start_date,
    company_end_date: null,
    current: true,
    summary: '',
    roles: [{ title: role, start_date, end_date: null, accomplishments: [] }],
  };
  return [job];
}
