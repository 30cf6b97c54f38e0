import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { differencesOf, type Part } from '../../../../model/profile/differences.ts';
import { readValues } from '../../../../model/profile/document-text.ts';
import type { Html } from '../../page.ts';
import { lineDifferences } from './lines.ts';

const marks = {
  same: { sign: '', word: '' },
  added: { sign: '+', word: 'Added: ' },
  removed: { sign: '−', word: 'Removed: ' },
} as const;

/** Returns the differences of two profile documents: in words if both can be read, and a list of lines, folded below. */
export function differences(before: string, after: string): Html {
  const groups = lineDifferences(before, after);
  if (groups === null) return html`<p class="soft">So much differs that it cannot be shown line by line.</p>`;
  if (groups.length === 0)
    return html`<p class="soft">${before === after ? 'Nothing differs.' : 'Only line ends differ, or a byte-order mark.'}</p>`;
  const words = valuesInWords(before, after);
  const byLine = html`<div class="differences">${groups.map(
    (lines) => html`
<ol>${lines.map(
      ({ kind, text, number }) => html`
<li class="${kind}"><span class="number small" aria-hidden="true">${number}</span><span aria-hidden="true">${marks[kind].sign}</span><code>${kind === 'same' ? '' : html`<span class="unseen">${marks[kind].word}</span>`}${toVisible(text)}</code></li>`,
    )}
</ol>`,
  )}
</div>`;
  return words === null
    ? byLine
    : html`<p>${words}.</p><details class="lines-that-differ"><summary class="small">Line by line</summary>${byLine}</details>`;
}

/** The differences of two texts in words; null if one of them cannot be read. */
export function valuesInWords(before: string, after: string): Html | null {
  const [old, value] = [readValues(before), readValues(after)];
  if (old === null || value === null) return null;
  const words = inWords(differencesOf(old, value));
  // Only comments, the order of keys or quoting differ.
  return words === '' ? html`The same values, written in another way` : words;
}

/** Differences in words, with the names set apart. */
export const inWords = (parts: readonly Part[]): Html | '' =>
  parts.length === 0
    ? ''
    : html`${parts.map(({ text, isName }) => (isName ? html`<em><bdi>${toVisible(text)}</bdi></em>` : text))}`;
