import { changed, type Value } from '../source/value.ts';

const bullet = /^(?:[•●▪◦‣]\s*|[*–-](?:\s+|$))/;
// If a text is on one line, a bullet follows another bullet or the end of a sentence.
const afterBullet = /(?<!\s)\s+(?=[•●▪◦‣]\s)/;
const afterSentence = /(?<=[.;:!?])\s+(?=[•●▪◦‣*–-]\s)/;

/** Splits a plain text into lines and bullets. */
export function toItems(value: Value | undefined): { item: Value; isBullet: boolean }[] {
  if (value === undefined) return [];
  const lines = value.text.split('\n').map((line) => line.trim());
  const parts = lines
    .flatMap((line) => line.split(/^[•●▪◦‣]/.test(line) ? afterBullet : afterSentence))
    .filter((part) => part.replace(bullet, '') !== '');
  const how = parts.length > 1 ? `split into its ${parts.length} lines and bullets` : 'its bullet removed';
  return parts.map((part) => {
    const text = part.replace(bullet, '');
    return { item: text === value.text ? value : changed(value, how, text), isBullet: text !== part };
  });
}
