import { z } from 'zod';
import { HttpUrl, named } from './profile.ts';

/** A text that is not blank. */
export const NonEmptyText = z.string('must be a string').regex(/\S/, 'must not be empty');

const text = (description: string) => NonEmptyText.describe(description);
const optional = (description: string) => NonEmptyText.optional().describe(description);
const urlOf = (what: string) => HttpUrl.optional().describe(`Site of ${what}`);

/** The fields of each kind of entry that the specification does not define, for some schemas of dates and lines. */
export function backgroundShapes<Coarse extends z.ZodType<string>>(
  date: Coarse,
  texts: z.ZodType<string[]> = z.array(NonEmptyText),
) {
  const lines = (description: string) => texts.optional().describe(description);
  const dateOf = (description: string) => date.optional().describe(description);
  const period = {
    start_date: dateOf('When it began'),
    end_date: date.nullable().optional().describe('When it ended; null while it goes on, absent if it is not stated'),
  };
  return {
    education: {
      institution: optional('School or university'),
      area: optional('Field of study'),
      degree: optional('Degree or qualification'),
      location: optional('Where it is'),
      ...period,
      score: optional('Grade, as it is written there'),
      url: urlOf('the institution'),
      details: lines('Courses, a thesis and the like'),
    },
    certification: {
      name: text('What was certified'),
      issuer: optional('Who certified it'),
      date: dateOf('When it was issued'),
      end_date: dateOf('Until when it is valid; absent if it does not expire, or if that is not stated'),
      url: urlOf('the certificate'),
      summary: optional('What it is about'),
    },
    language: {
      language: text('A language that the candidate speaks'),
      fluency: optional('How well, in free words'),
    },
    publication: {
      name: text('Title of the publication'),
      authors: z.array(NonEmptyText).optional().describe('All authors in order, the candidate among them'),
      publisher: optional('Publisher or journal'),
      date: dateOf('When it was published'),
      url: urlOf('the publication'),
      summary: optional('What it is about'),
    },
    award: {
      title: text('What was awarded'),
      awarder: optional('Who awarded it'),
      date: dateOf('When it was awarded'),
      url: urlOf('the award'),
      summary: optional('What it was awarded for'),
    },
    volunteering: {
      organization: optional('Organization'),
      role: optional('Role there'),
      location: optional('Where it is'),
      ...period,
      url: urlOf('the organization'),
      summary: optional('What was done there'),
      highlights: lines('Representative accomplishments'),
    },
    /** An entry of a further section: a paragraph, a bullet, a name with details, or a name with dates. */
    sectionEntry: {
      text: optional('A paragraph'),
      bullet: optional('A line with a bullet'),
      name: optional('What the entry is about'),
      details: optional('What follows the name on its line'),
      organization: optional('Organization'),
      location: optional('Where it is'),
      date: dateOf('When it was, if that is one date'),
      ...period,
      url: urlOf('the entry'),
      summary: optional('More about it'),
      highlights: lines('Further lines'),
    },
  };
}

const shapes = backgroundShapes(z.string().regex(/^\d{4}(-\d\d){0,2}$/));
const listOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.array(z.object(shape)).optional();

/** The rest of a resume. A list without entries is absent; dates are YYYY, YYYY-MM or YYYY-MM-DD. */
export const Background = named('Background', {
  education: listOf(shapes.education),
  certifications: listOf(shapes.certification),
  languages: listOf(shapes.language),
  publications: listOf(shapes.publication),
  awards: listOf(shapes.award),
  volunteer: listOf(shapes.volunteering),
  sections: z
    .array(z.object({ title: text('Title of the section'), entries: z.array(z.object(shapes.sectionEntry)) }))
    .optional()
    .describe('Further sections: talks, patents, courses, or whatever else the candidate has'),
});
export type Background = z.infer<typeof Background>;
