import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../model/profile-document.ts';
import { fontFamiliesIn } from './font-families.ts';
import { openTypst, type Source, type Typst } from './typst.ts';

/** How the resume is printed; a template of the owner's stands in for the theme, and may read what is in its folder. */
export interface PdfStyle {
  readonly theme: 'classic' | 'modern' | 'compact';
  readonly paper: 'a4' | 'us-letter';
  readonly template: string | undefined;
  readonly fontDir: string | undefined;
}

export interface PrintedResume {
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** The characters of the profile that no font has a glyph for; U+FFFD stands in their place. */
  readonly unprintable: readonly string[];
}

/** Prints a profile with the JSON of `GET /resume` attached; rejects with why that cannot be done, in one line. */
export type ResumePrinter = (profile: Profile, resumeJson: string) => Promise<PrintedResume>;

/** What prints resumes: tagged PDFs (PDF/UA-1), the same bytes for the same profile. Typst is loaded by the first. */
export function openResumePdf(style: PdfStyle): ResumePrinter {
  let printer: ReturnType<typeof openPrinter> | undefined;
  return async (profile, resumeJson) => {
    printer ??= openPrinter(style);
    // What kept it from opening may be mended by the next time.
    printer.catch(() => (printer = undefined));
    return (await printer)(profile, resumeJson);
  };
}

/** The characters of a profile that would be printed as U+FFFD. */
export const unprintableCharacters = async (profile: Profile, style: PdfStyle): Promise<readonly string[]> =>
  (await openResumePdf(style)(profile, '{}')).unprintable;

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url));

async function openPrinter({ theme, paper, template, fontDir }: PdfStyle) {
  const path = template ?? pathOf(`./templates/${theme}.typ`);
  const folder = dirname(path);
  const fontFolders = [pathOf(new URL('../fonts', import.meta.resolve('@embedpdf/fonts-latin')).href)];
  if (fontDir !== undefined) fontFolders.push(fontDir);
  const typst = await openTypst({
    folder,
    // So that a copy of a theme finds what it imports; copies of that beside it come first.
    texts: ['resume.typ', 'layout.typ']
      .filter((name) => !existsSync(join(folder, name)))
      .map((name) => ({ path: join(folder, name), text: readFileSync(pathOf(`./templates/${name}`)) })),
    fontFolders,
  });
  const further = fontDir === undefined ? [] : fontFamiliesIn(fontDir);
  const fonts = JSON.stringify(['Noto Sans', ...further, 'Libertinus Serif']);

  return ({ candidate, experience, projects, resume }: Profile, resumeJson: string): PrintedResume => {
    const unprintable = new Set<string>();
    const toPrintable = (_key: string, value: unknown) =>
      typeof value === 'string' ? shown(value, unprintable) : value;
    try {
      for (;;) {
        const profile = JSON.stringify({ candidate, experience, projects, resume }, toPrintable);
        const printed = typst.toPdf(fitted(typst, { path, inputs: { profile, resume: resumeJson, paper, fonts } }));
        if ('pdf' in printed) return { pdf: printed.pdf, unprintable: [...unprintable].sort() };
        const { size } = unprintable;
        for (const character of printed.glyphless) unprintable.add(character);
        if (unprintable.size === size) throw new Error(`no font has a glyph for ${printed.glyphless.join(' ')}`);
      }
    } finally {
      typst.forget();
    }
  };
}

// Typst's PDF writer (krilla 0.6) panics at a word of more than 65,535 bytes, and a panic ends the process.
const maxWordBytes = 60_000;

function shown(text: string, unprintable: ReadonlySet<string>): string {
  // The fonts of a template may lack even the sign for what is lacking.
  const replacement = unprintable.has('\u{fffd}') ? '?' : '\u{fffd}';
  const characters = Array.from(text.toWellFormed().replaceAll('\t', ' '));
  const printable = characters.map((character) => (unprintable.has(character) ? replacement : character)).join('');
  if (printable.split(/[ \r\n]/).some((word) => Buffer.byteLength(word) > maxWordBytes))
    throw new Error(`a word is longer than ${maxWordBytes} bytes`);
  return printable;
}

/** How many pages a document has, and which part of the last one is filled. */
interface End {
  readonly pages: number;
  readonly filled: number;
}

/** A source as it is, or with less space where its last page holds so little that this saves the page. */
function fitted(typst: Typst, { path, inputs }: Source): Source {
  const [loose, ...tighter] = ['0', '1', '2', '3'].map((tightness) => ({ path, inputs: { ...inputs, tightness } }));
  const endOf = (source: Source) => (typst.valuesOf(source, '<end>') as End[]).at(-1);
  const end = endOf(loose!);
  if (end === undefined || end.pages === 1 || end.filled > 1 / 3) return loose!;
  return tighter.find((source) => endOf(source)!.pages < end.pages) ?? loose!;
}
