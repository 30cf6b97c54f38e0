import { given } from '../../given.ts';
import type { Letter } from '../../letter/letter.ts';
import type { Outline } from '../../outline/outline.ts';
import { type Page, toDocument } from './document.ts';
import { toHead } from './head.ts';
import { setterOf, strong, toRuns } from './text.ts';

/** Writes a letter below the head of a resume as a document of Word: the same bytes for the same letter and resume. */
export function toLetterDocx(
  outline: Outline,
  { date, to, subject, blocks }: Letter,
  page: Page,
): Promise<Uint8Array<ArrayBuffer>> {
  const { paragraph } = setterOf(outline.direction);
  return toDocument(outline, {
    ...page,
    title: given(outline.author, subject).join(' – '),
    content: [
      ...toHead(outline, page.photo),
      paragraph(toRuns(date), { style: 'Date', before: 1.6 }),
      paragraph(toRuns(to.join('\n')), { before: 0.8 }),
      paragraph(toRuns(subject, strong), { before: 1.6, keepNext: true }),
      ...blocks.flatMap((block) => {
        if ('bullets' in block)
          return block.bullets.map((text, index) =>
            paragraph(toRuns(text), { isBullet: true, before: index === 0 ? 0.7 : 0 }),
          );
        return 'items' in block ? block.items.map(({ text }) => paragraph(toRuns(text), { before: 0.7 })) : [];
      }),
    ],
  });
}
