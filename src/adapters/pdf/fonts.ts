import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontPackages } from 'resume-documents/pdf/pdf-warnings';
import { tagOf } from 'resume-profile/resume-language';

/** The styles of a family that a PDF has, each in a folder of the family's package. */
const styles = ['400Regular', '400Regular_Italic', '600SemiBold', '600SemiBold_Italic'];

/** The families that `npm pack` copies, because their packages have many more styles, with those that a PDF has. */
export const copiedFamilies: Readonly<Record<string, readonly string[]>> = {
  'ibm-plex-sans': styles,
  'ibm-plex-serif': styles,
  'eb-garamond': styles,
  roboto: styles,
  'roboto-slab': styles,
  'noto-emoji': ['400Regular'],
};

/** The families of signs, from which a resume takes characters last: emoji in one colour, then stars, boxes and arrows. */
export const signFamilies = ['Noto Emoji', 'DejaVu Sans Mono'];

/** Lists the folders of the included fonts, except those that Typst has itself. */
export function fontFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const folderOf = (name: string) => dirname(resolve(name));
  const facesOf = (family: string) =>
    (copiedFamilies[family] ?? styles)
      .map((style) => join(folderOf(`@expo-google-fonts/${family}`), style))
      .filter((path) => existsSync(path));
  const copies = fileURLToPath(new URL('./fonts', import.meta.url));
  return [
    join(folderOf('@embedpdf/fonts-latin'), '../fonts'),
    ...['source-sans-3', 'source-serif-4'].flatMap(facesOf),
    ...(existsSync(copies) ? [copies] : Object.keys(copiedFamilies).flatMap(facesOf)),
  ];
}

interface InstalledFont {
  readonly name: string;
  readonly family: string;
  readonly folder: string;
}

/** Lists the packages of faces for further scripts that are installed with this one, or in the working folder. */
export function installedFonts(workingFolder = process.cwd()): InstalledFont[] {
  const requires = [import.meta.url, join(workingFolder, 'package.json')].map((from) => createRequire(from));
  return fontPackages.flatMap(({ name, family }) => {
    for (const { resolve } of requires) {
      try {
        return [{ name, family, folder: join(dirname(resolve(name)), '../fonts') }];
      } catch {
        // It is not installed there.
      }
    }
    return [];
  });
}

/** Lists the families of the OpenType fonts in a folder and below it, sorted. Other files are ignored. */
export function fontFamiliesIn(folder: string): string[] {
  const paths = globSync('**/*.{ttf,otf,ttc,otc,TTF,OTF,TTC,OTC}', { cwd: folder }).map((path) => join(folder, path));
  const fonts = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return [...new Set(fonts.flatMap((path) => familiesOf(readFileSync(path))))].sort();
}

/** The regional cut in a family's name, such as `Noto Sans CJK SC`: regions draw the same characters differently. */
const cuts = {
  CN: /\b(SC|CN|S Chinese|Hans)\b/,
  TW: /\b(TC|TW|T Chinese|Hant)\b/,
  HK: /\b(HK|HC)\b/,
  JP: /\b(JP|Japanese)\b/,
  KR: /\b(KR|Korean)\b/,
};

/** Faces for titles, code, or one region's taste, which are a last resort in running text. */
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

function familiesOf(font: Buffer): string[] {
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
