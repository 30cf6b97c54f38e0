import { EmailAddress } from 'resume-profile/email-address';
import { toCandidateKey, toFreeId, toId } from 'resume-profile/ids';
import { Candidate } from 'resume-profile/profile';
import { introduction, Profile } from 'resume-profile/profile-document';
import { PrintedDate } from 'resume-profile/resume-document';
import { headingFaultOf, wordFaultOf } from 'resume-profile/texts';
import { z } from 'zod';

export type Answers = Readonly<Record<string, string>>;

export interface Question {
  readonly name: string;
  readonly text: string;
  /** Returns the answer for an empty line, empty if optional; undefined if an answer is required. */
  readonly defaultFor: (answers: Answers) => string | undefined;
  /** Whether earlier answers raise the question; absent if it is always asked. */
  readonly isAsked?: (answers: Answers) => boolean;
  /** Returns the fault of an answer, as a predicate such as `must be a number`; null if it is valid. */
  readonly faultOf: (answer: string) => string | null;
}

/** A question about a field of the profile. Its option has the same name. */
export interface FieldQuestion extends Question {
  readonly field: string;
  readonly isOptional?: boolean;
  /** Whether the answer is yes or no, so that its option takes no text. */
  readonly isYesOrNo?: boolean;
}

const question = (
  [name, field]: [name: string, field: string],
  text: string,
  schema: z.ZodType<unknown, string>,
  more: Partial<FieldQuestion> = {},
): FieldQuestion => ({
  name,
  field,
  text,
  defaultFor: () => undefined,
  faultOf: (answer) => schema.safeParse(answer).error?.issues[0]?.message ?? null,
  ...more,
});

const text = (faultOf: (text: string) => string | null) =>
  z
    .string()
    .regex(/\S/, 'must not be empty')
    .superRefine((answer, context) => {
      const fault = faultOf(answer);
      if (fault !== null) context.addIssue(fault);
    });
const prose = text(wordFaultOf);
const heading = text((answer) => headingFaultOf(answer) ?? wordFaultOf(answer));
const years = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);
const yesOrNo = z.string().regex(/^(y(es)?|no?)$/i, 'must be yes or no');

const optional = { isOptional: true, defaultFor: () => '' };
const ofJob = { isAsked: ({ company }: Answers) => !!company };

/** The questions of `init`, in the order in which they are asked. */
export const questions: readonly FieldQuestion[] = [
  question(['name', 'candidate.name'], 'Your name', heading),
  question(['title', 'candidate.title'], 'Your title, such as Staff Engineer', heading),
  question(['email', 'owner_email'], 'Your e-mail address, for notices to you; shown to nobody', EmailAddress),
  question(['location', 'candidate.location'], 'Your city or region', heading),
  question(
    ['years', 'candidate.years_experience'],
    'Years of professional experience',
    years.pipe(Candidate.shape.years_experience),
    optional,
  ),
  question(['summary', 'candidate.summary'], 'Yourself in two or three sentences', prose, optional),
  question(['company', 'experience'], 'The company or organization where you work now', heading, optional),
  question(['role', 'experience'], 'Your title there', heading, { defaultFor: ({ title }) => title, ...ofJob }),
  question(['since', 'experience'], 'Since when, such as 2021-03', PrintedDate as z.ZodType<unknown, string>, ofJob),
  question(['skills', 'resume.skills'], 'Three skills, with commas between them', prose, optional),
  question(
    ['status', 'availability.status'],
    'Whether you can be approached, such as “open to opportunities”',
    prose,
    optional,
  ),
  question(
    ['background', 'background'],
    'Whether the programs of visitors with access can also read your education, certifications, languages and the like',
    yesOrNo,
    { isYesOrNo: true, defaultFor: () => 'yes' },
  ),
  question(
    ['public', 'public'],
    'Whether anybody can see your place, availability, first sentence, and how many jobs and projects there are; otherwise name and title alone',
    yesOrNo,
    { isYesOrNo: true, defaultFor: () => 'yes' },
  ),
];

/** Returns a profile's answers to questions, an empty one for a list that has entries. */
export function answersIn({ candidate, owner_email, experience, resume, availability }: Profile): Answers {
  const { name, title, location, summary, years_experience } = candidate;
  const stated = { name, title, email: owner_email, location, summary, status: availability.status };
  return {
    ...Object.fromEntries(Object.entries(stated).filter((entry): entry is [string, string] => !!entry[1])),
    ...(years_experience !== undefined && { years: String(years_experience) }),
    ...(experience.length > 0 && { company: '' }),
    ...(resume.skills.length > 0 && { skills: '' }),
  };
}

type Entry = Profile['experience'][number];

/** Returns a profile with valid answers and the rest of an imported one, whose id it keeps if `keepId`. */
export function toAnsweredProfile(answers: Answers, imported?: Profile, keepId = false): Profile {
  const { name = '', title = '', location = '', summary = '', status = '', email, years } = answers;
  const { experience = [], resume = { skills: [] }, candidate, projects = [] } = imported ?? {};
  return Profile.parse({
    projects,
    ...(email && { owner_email: email }),
    candidate: {
      id: candidate && keepId ? candidate.id : toId('cand', toCandidateKey(name)),
      name,
      title,
      location,
      summary,
      ...(years && { years_experience: Number(years) }),
      domains: candidate?.domains ?? [],
    },
    experience: [...toCurrentJob(answers, experience), ...experience],
    availability: { status },
    resume: { ...resume, skills: [...new Set([...resume.skills, ...skillsIn(answers)])] },
    ...(isYes(answers.background) && { background: true }),
    evidence: true,
    ...(isYes(answers.public) && { public: introduction }),
  });
}

const isYes = (answer = ''): boolean => /^y/i.test(answer);

const skillsIn = ({ skills = '' }: Answers): string[] =>
  skills
    .split(',')
    .map((skill) => skill.trim())
    .filter((skill) => skill !== '');

function toCurrentJob({ company, role = '', since = '' }: Answers, others: readonly Entry[]): Entry[] {
  if (!company) return [];
  const job: Entry = {
    id: toFreeId(toId('exp', company), new Set(others.map(({ id }) => id))),
    company,
    company_start_date: since,
    company_end_date: null,
    current: true,
    summary: '',
    roles: [{ title: role, start_date: since, end_date: null, accomplishments: [] }],
  };
  return [job];
}
