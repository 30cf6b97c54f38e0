import { z } from 'zod';
import { toId } from '../../formats/import/build/ids.ts';
import { EmailAddress } from '../../model/email-address.ts';
import { Availability, Candidate } from '../../model/profile.ts';
import { Profile } from '../../model/profile-document.ts';
import type { Answers, Question } from './ask.ts';

/** A question about a field of the profile. Its name is also that of its option. */
interface FieldQuestion extends Question {
  /** The path of the field. */
  readonly field: string;
}

const question = (
  [name, field]: [name: string, field: string],
  text: string,
  schema: z.ZodType<unknown, string>,
  defaultFor: Question['defaultFor'] = () => undefined,
): FieldQuestion => ({
  name,
  field,
  text,
  defaultFor,
  faultOf: (answer) => schema.safeParse(answer).error?.issues[0]?.message ?? null,
});

const years = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);

/** The questions about the fields that every profile needs, in the order in which they are asked. */
export const questions: readonly FieldQuestion[] = [
  question(['name', 'candidate.name'], 'Your name', Candidate.shape.name),
  question(['title', 'candidate.title'], 'Your title, such as Staff Engineer', Candidate.shape.title),
  question(['email', 'owner_email'], 'Your e-mail address, for notices to you; shown to nobody', EmailAddress),
  question(['location', 'candidate.location'], 'Your city or region', Candidate.shape.location),
  question(
    ['years', 'candidate.years_experience'],
    'Years of professional experience',
    years.pipe(Candidate.shape.years_experience),
  ),
  question(
    ['summary', 'candidate.summary'],
    'Yourself in two or three sentences',
    Candidate.shape.summary,
    ({ title, location }) => `${title}, ${location}.`,
  ),
  question(
    ['status', 'availability.status'],
    'Whether you can be approached, in your own words',
    Availability.shape.status,
    () => 'open to opportunities',
  ),
];

/** Returns the answers that a profile contains. */
export const answersIn = ({ candidate, owner_email, availability }: Profile): Answers => ({
  name: candidate.name,
  title: candidate.title,
  ...(owner_email !== undefined && { email: owner_email }),
  location: candidate.location,
  years: String(candidate.years_experience),
  summary: candidate.summary,
  status: availability.status,
});

/** Returns a profile with the answers, which must be complete and valid; the rest is from the imported one, if any. */
export const toProfile = (answers: Answers, imported?: Profile): Profile =>
  Profile.parse({
    experience: [],
    projects: [],
    resume: { skills: [] },
    ...imported,
    owner_email: answers.email,
    candidate: {
      id: toId('cand', answers.name!),
      domains: [],
      ...imported?.candidate,
      name: answers.name,
      title: answers.title,
      location: answers.location,
      summary: answers.summary,
      years_experience: Number(answers.years),
    },
    availability: { status: answers.status },
  });
