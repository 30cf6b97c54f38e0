import { tagOf } from 'resume-profile/resume-language';

/** Families of symbols, which are used last: emoji in one colour, then stars, boxes and arrows. */
export const signFamilies = ['Noto Emoji', 'DejaVu Sans Mono'];

/** The regional variant in a family's name, such as `Noto Sans CJK SC`: regions draw the same characters differently. */
const cuts = {
  CN: /\b(SC|CN|S Chinese|Hans)\b/,
  TW: /\b(TC|TW|T Chinese|Hant)\b/,
  HK: /\b(HK|HC)\b/,
  JP: /\b(JP|Japanese)\b/,
  KR: /\b(KR|Korean)\b/,
};

/** Faces for titles, code, or one region's style; a last resort in running text. */
const special = /\b(Kufi|Mono|Nastaliq|Rashi)\b/;

/** Returns families in the order in which a resume in a language, such as `zh-TW`, takes characters from them. */
export function inOrderFor(language: string | undefined, families: readonly string[]): string[] {
  const [code, region] = tagOf(language).split('-');
  const { CN, TW, HK, JP, KR } = cuts;
  const preferred =
    code === 'ja' ? [JP] : code === 'ko' ? [KR] : region === 'TW' ? [TW, HK] : region === 'HK' ? [HK, TW] : [CN];
  const rankOf = (family: string): number => {
    const rank = preferred.findIndex((cut) => cut.test(family));
    return (rank === -1 ? preferred.length : rank) + (special.test(family) ? 10 : 0);
  };
  return families.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Returns the names of the families in the bytes of an OpenType font; empty for other files. */
export function familiesOf(font: Buffer): string[] {
  try {
    if (font.toString('latin1', 0, 4) !== 'ttcf') return namesIn(font, 0);
    const count = font.readUInt32BE(8);
    return Array.from({ length: count }, (_, index) => namesIn(font, font.readUInt32BE(12 + 4 * index))).flat();
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The family names of the font that begins at an offset: names 1 and 16 of its `name` table (OpenType). */
function namesIn(font: Buffer, start: number): string[] {
  const tables = Array.from({ length: font.readUInt16BE(start + 4) }, (_, index) => start + 12 + 16 * index);
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'name');
  if (entry === undefined) return [];
  const table = font.readUInt32BE(entry + 8);
  const texts = table + font.readUInt16BE(table + 4);
  const records = Array.from({ length: font.readUInt16BE(table + 2) }, (_, index) => table + 6 + 12 * index);
  return records.flatMap((at) => {
    const [platform, , , name, length, offset] = Array.from({ length: 6 }, (_, field) =>
      font.readUInt16BE(at + 2 * field),
    );
    // Platform 1, Macintosh, does not use UTF-16. Every font has a name for another platform as well.
    if ((name !== 1 && name !== 16) || platform === 1) return [];
    const text = Buffer.from(font.subarray(texts + offset!, texts + offset! + length!));
    return [text.swap16().toString('utf16le')];
  });
}
