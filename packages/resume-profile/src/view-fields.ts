import { z } from 'zod';
import { NonEmptyText } from './background.ts';
import { Candidate } from './profile.ts';
import { designShape } from './resume-design.ts';

/** The names of the whole profile and of the part that strangers see, next to the names of views. */
export const wholeView = 'all';
export const publicView = 'public';

export const maxViews = 50;

/** Returns the views that tokens read but the profile lacks. */
export const goneViews = (inUse: Iterable<string>, names: ReadonlySet<string>): string[] =>
  [...inUse].filter((view) => view !== wholeView && view !== publicView && !names.has(view));

const In = z
  .array(NonEmptyText)
  .describe(
    'The names of the views that show it, and no other does; the whole profile has it, too. In all of them unless it is given',
  );

/** A list of entries; each entry can name the views that show it. */
export const placedEntries = <Entry extends z.ZodType<{ readonly in?: unknown }>>(entry: Entry) =>
  z.array(entry.transform(({ in: _, ...plain }) => plain as Omit<z.output<Entry>, 'in'>));

/** A list of entries whose ids are for views alone, and never served. */
export const hidableEntries = <Entry extends z.ZodType<{ readonly id?: unknown; readonly in?: unknown }>>(
  entry: Entry,
) => z.array(entry.transform(({ in: _, id: __, ...plain }) => plain as Omit<z.output<Entry>, 'in' | 'id'>));

/** The field by which an entry names the views that show it. */
export const placement = { in: In.optional() };

/** The field by which views can hide an entry or a text that the service does not need an id for. */
export const viewId = { id: NonEmptyText.optional().describe('A name of your own, by which views can hide it') };

/** A list of texts; a text can be an object that names the views that show it, and has an id by which views hide it. */
export const placedTexts = (text: z.ZodType<string>) =>
  z.array(
    z.union([text, z.strictObject({ text, ...viewId, ...placement }).transform((placed) => placed.text)], {
      error: 'must be a text, or an object with a text and the views that show it under in',
    }),
  );

const ViewName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be 1 to 40 of the characters a-z 0-9 _ -, a letter or digit first')
  .refine(
    (name) => name !== wholeView && name !== publicView,
    'is taken: all is the whole profile, public the public part',
  );

const View = z.strictObject({
  title: Candidate.shape.title.optional().describe('In place of the title of the candidate'),
  summary: Candidate.shape.summary.optional().describe('In place of the summary of the candidate'),
  hide: z
    .array(NonEmptyText)
    .optional()
    .describe('What it leaves out: ids of entries, roles and texts, and sections by their keys or titles'),
  order: z.array(NonEmptyText).optional().describe('In place of the order of the resume'),
  theme: designShape.theme,
});
export type View = z.infer<typeof View>;

/** The views of a profile document by their names. */
export const Views = z
  .record(ViewName, View)
  .refine((views) => Object.keys(views).length <= maxViews, `must be at most ${maxViews} views`)
  .describe('What else readers can be shown than the whole profile, by names of your own');
