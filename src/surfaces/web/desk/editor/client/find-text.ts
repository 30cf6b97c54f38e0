import type { Path, Value } from '../../../../../model/profile/working-copy.ts';

/** What is compared: without marks of text, the hyphen of a broken word, and differences of spaces. */
const toWords = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/^[•◦,·–-]\s+|[*`\u00ad\u200b]|-$/g, '')
    .replaceAll(/^(?:https?:\/\/)?(?:www\.)?|\/$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

interface Text {
  readonly path: Path;
  readonly words: string;
}

/** Keys whose texts stand nowhere on the page or the PDF. */
const unseen = new Set([
  'views',
  'public',
  'background',
  'id',
  'in',
  'current',
  '$schema',
  'evidence',
  'order',
  'titles',
]);

function textsIn(value: Value, path: Path): Text[] {
  if (typeof value === 'string') return value === '' ? [] : [{ path, words: toWords(value) }];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value).filter(([key]) => !unseen.has(key));
  return entries.flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/** Returns the texts of which a printed line may be: equal ones, or those around it, or those in it. */
function candidates(texts: readonly Text[], words: string): readonly Text[] {
  if (!/[\p{L}\p{N}]/u.test(words)) return [];
  const byLength = ({ words: one }: Text, { words: other }: Text) => one.length - other.length;
  const tries = [
    () => texts.filter((text) => text.words === words),
    () => (words.length > 3 ? texts.filter((text) => text.words.includes(words)).sort(byLength) : []),
    () => texts.filter((text) => text.words.length > 3 && words.includes(text.words)).sort((a, b) => byLength(b, a)),
  ];
  for (const find of tries) {
    const found = find();
    if (found.length > 0) return found;
  }
  return [];
}

const shared = (one: Path, other: Path): number => {
  const end = one.findIndex((step, at) => step !== other[at]);
  return end === -1 ? one.length : end;
};

/**
 * Returns the path of the text of which a printed line is; of several, the one closest to those of the lines around it. A line
 * that no text has, such as a date, leads to the line before it. Null if there is none.
 */
export function findText(document: Value, lines: readonly string[], index: number): Path | null {
  const texts = textsIn(document, []);
  const of = (at: number) => candidates(texts, toWords(lines[at] ?? ''));
  for (let at = index; at >= 0; at -= 1) {
    const found = of(at);
    if (found.length < 2) {
      if (found[0] !== undefined) return found[0].path;
      continue;
    }
    const around = [1, -1, 2, -2, 3, -3].flatMap((step) => {
      const [only, ...others] = of(at + step);
      return only !== undefined && others.length === 0 ? [{ path: only.path, weight: 1 / Math.abs(step) }] : [];
    });
    const score = ({ path }: Text) => around.reduce((sum, one) => sum + one.weight * shared(path, one.path), 0);
    return found.reduce((best, one) => (score(one) > score(best) ? one : best)).path;
  }
  return null;
}
