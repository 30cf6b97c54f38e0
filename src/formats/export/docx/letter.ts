import { given } from '../../given.ts';
import type { Letter } from '../../letter/letter.ts';
import type { Outline } from '../../outline/outline.ts';
import { type Page, toDocument } from './document.ts';
import { toHead } from './head.ts';
import { setterOf, strong, toRuns } from './text.ts';

/** The space above in ems. */
const [partGap, paragraphGap] = [1.6, 0.7];

/** Writes a letter below the head of a resume as a document of Word: the same bytes for the same letter and resume. */
export function toLetterDocx(
  outline: Outline,
  { date, to, subject, blocks }: Letter,
  page: Page,
): Promise<Uint8Array<ArrayBuffer>> {
  const set = setterOf(outline.direction);
  return toDocument(outline, {
    ...page,
    title: given(outline.author, subject).join(' – '),
    content: [
      ...toHead(outline, page.photo),
      set.paragraph(toRuns(date), { style: 'Date', before: partGap }),
      set.paragraph(toRuns(to.join('\n')), { before: paragraphGap }),
      set.paragraph(toRuns(subject, strong), { before: partGap, keepNext: true }),
      ...blocks.flatMap(({ items }) => items.flatMap((text) => set.prose(text, paragraphGap))),
    ],
  });
}
