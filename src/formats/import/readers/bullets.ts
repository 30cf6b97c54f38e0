import { changed, type Value } from '../source/value.ts';

const bullet = /^(?:[•●▪◦‣]\s*|[*–-](?:\s+|$))/;
// Where all of a text is on one line, a bullet is what follows another one or the end of a sentence.
const afterBullet = /(?<!\s)\s+(?=[•●▪◦‣]\s)/;
const afterSentence = /(?<=[.;:!?])\s+(?=[•●▪◦‣*–-]\s)/;

/** The lines and bullets of a plain text. */
export function toItems(value: Value | undefined): { item: Value; isBullet: boolean }[] {
  if (value === undefined) return [];
  const lines = value.text.split('\n').map((line) => line.trim());
  const parts = lines
    .flatMap((line) => line.split(/^[•●▪◦‣]/.test(line) ? afterBullet : afterSentence))
    .filter((part) => part.replace(bullet, '') !== '');
  const how = parts.length > 1 ? `divided into its ${parts.length} lines and bullets` : 'its bullet removed';
  return parts.map((part) => {
    const text = part.replace(bullet, '');
    return { item: text === value.text ? value : changed(value, how, text), isBullet: text !== part };
  });
}
