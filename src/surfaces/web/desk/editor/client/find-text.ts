import type { Path, Value } from '../../../../../model/profile/working-copy.ts';

/** What is compared: without marks of text, the hyphen of a broken word, and differences of spaces. */
const toWords = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[•◦–-]\s+|[*`\u00ad\u200b]|-$/g, '')
    .replaceAll(/^(?:https?:\/\/)?(?:www\.)?|\/$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Keys whose texts stand nowhere on the page or the PDF. */
const unseen = new Set(['views', 'public', 'background', 'id', 'in', 'current', '$schema', 'evidence']);

function textsIn(value: Value, path: Path): { readonly path: Path; readonly words: string }[] {
  if (typeof value === 'string') return value === '' ? [] : [{ path, words: toWords(value) }];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value).filter(([key]) => !unseen.has(key));
  return entries.flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

/**
 * Returns the path of the text of which a printed line is, or a part; of equal ones, the one that comes as often before it. A
 * line that no text has, such as a date, leads to the closest one before it. Null if there is none.
 */
export function findText(document: Value, lines: readonly string[], index: number): Path | null {
  const texts = textsIn(document, []);
  const printed = lines.map(toWords);
  for (let at = index; at >= 0; at -= 1) {
    const words = printed[at]!;
    if (!/[\p{L}\p{N}]/u.test(words)) continue;
    const earlier = printed.slice(0, at).filter((one) => one === words).length;
    const equal = texts.filter((text) => text.words === words);
    const found = equal[earlier] ?? equal.at(-1) ?? closest(texts, words);
    if (found !== undefined) return found.path;
  }
  return null;
}

/** The shortest text that has the words, or the longest one in them; a short word alone could be of any text. */
function closest(texts: ReturnType<typeof textsIn>, words: string) {
  const around = texts.filter((text) => words.length > 3 && text.words.includes(words));
  const within = texts.filter((text) => text.words.length > 3 && words.includes(text.words));
  const byLength = (one: { words: string }, other: { words: string }) => one.words.length - other.words.length;
  return around.toSorted(byLength)[0] ?? within.toSorted(byLength).at(-1);
}
