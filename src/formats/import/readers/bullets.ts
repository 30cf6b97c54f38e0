import { toSentences } from '../source/normalize.ts';
import { changed, type Value } from '../source/value.ts';

const bullet = /^(?:[•●▪◦‣]\s*|[*–-](?:\s+|$))/;
// If a text is on one line, a bullet follows another bullet or the end of a sentence.
const beforeBullet = /(?<!\s)\s+(?=[•●▪◦‣]\s)/;
const afterSentence = /(?<=[.;:!?])\s+(?=[•●▪◦‣*–-]\s)/;

/** Splits a plain text into lines and bullets. On one line, `A • B • C` is three bullets. */
export function toItems(value: Value | undefined): { item: Value; isBullet: boolean }[] {
  if (value === undefined) return [];
  const parts = value.text.split('\n').flatMap((line) => partsOf(line.trim()));
  const how = parts.length > 1 ? `split into its ${parts.length} lines and bullets` : 'its bullet removed';
  return parts.map(({ text, isBullet }) => ({
    item: text === value.text ? value : changed(value, how, text),
    isBullet,
  }));
}

function partsOf(line: string): { text: string; isBullet: boolean }[] {
  const inline = line.split(beforeBullet);
  const parts = (inline.length > 2 || /^[•●▪◦‣]/.test(line) ? inline : line.split(afterSentence)).map((part) => {
    const text = part.replace(bullet, '');
    return { text, isBullet: text !== part };
  });
  // Only what ends like a sentence introduces the bullets after it.
  if (inline.length > 2 && !/[.:!?]$/.test(parts[0]!.text)) parts[0]!.isBullet = true;
  return parts.filter(({ text }) => text !== '');
}

/** Divides a plain text into its paragraphs and its bullets. Without bullets it is the summary as it is. */
export function toSummaryAndHighlights(text: Value | undefined): { summary: Value | undefined; highlights: Value[] } {
  const items = toItems(text);
  const highlights = items.flatMap(({ item, isBullet }) => (isBullet ? item : []));
  if (highlights.length === 0) return { summary: text, highlights };
  const paragraphs = items.flatMap(({ item, isBullet }) => (isBullet ? [] : item));
  return { summary: toSentences(paragraphs, 'joined with the other paragraphs'), highlights };
}

/** Writes the bullets of a plain text as sentences, for a field that has no bullets. */
export function toProse(text: Value | undefined): Value | undefined {
  const items = toItems(text);
  if (!items.some(({ isBullet }) => isBullet)) return text;
  return toSentences(
    items.map(({ item }) => item),
    'its bullets joined',
  );
}
