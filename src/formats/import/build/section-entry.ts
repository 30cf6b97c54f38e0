import type { DraftEntry } from '../readers/draft.ts';
import { toHeading, toLine, toParagraphs } from '../source/normalize.ts';
import { toEntries, toFields } from './entry.ts';

/** Makes the entries of a section. One without a text, bullet or name begins with the next best field; lone highlights become bullets. */
export function toSectionEntries(draft: DraftEntry): Record<string, unknown>[] {
  const { text, bullet, name, details, organization, highlights = [], ...rest } = withHead(draft);
  if (!text && !bullet && !name) return highlights.flatMap((each) => toSectionEntries({ bullet: each }));
  return toEntries(['text', 'bullet', 'name'], {
    text: toParagraphs(text),
    bullet: toLine(bullet),
    name: toHeading(name),
    details: toLine(details),
    organization: toHeading(organization),
    ...toFields({ ...rest, highlights }),
  });
}

function withHead(draft: DraftEntry): DraftEntry {
  const { text, bullet, name, organization, details, summary } = draft;
  if (text || bullet || name) return draft;
  if (organization) return { ...draft, name: organization, organization: undefined };
  if (details) return { ...draft, text: details, details: undefined };
  return { ...draft, text: summary, summary: undefined };
}
