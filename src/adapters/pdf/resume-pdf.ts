import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../model/profile-document.ts';
import { fontFamiliesIn } from './font-families.ts';
import { openTypst, type Source, type Typst } from './typst.ts';

/** How the resume looks. A `template` replaces the theme, and can read files in its own folder. */
export interface PdfStyle {
  readonly theme: 'classic' | 'modern' | 'compact';
  readonly paper: 'a4' | 'us-letter';
  readonly template: string | undefined;
  readonly fontDir: string | undefined;
}

export interface RenderedResume {
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** The characters of the profile that no font has a glyph for. The PDF shows U+FFFD in their place. */
  readonly missingGlyphs: readonly string[];
}

/** Renders a profile with the JSON of `GET /resume` attached. Rejects with the reason, in one line, if that is impossible. */
export type RenderResume = (profile: Profile, resumeJson: string) => Promise<RenderedResume>;

/**
 * Returns what renders tagged PDFs (PDF/UA-1), the same bytes for the same profile. Typst is loaded by the first call; if that
 * fails, by the next.
 */
export function openResumeRenderer(style: PdfStyle): RenderResume {
  let opening: ReturnType<typeof openRenderer> | undefined;
  return async (profile, resumeJson) => {
    opening ??= openRenderer(style).catch((error) => {
      opening = undefined;
      throw error;
    });
    const render = await opening;
    return render(profile, resumeJson);
  };
}

/** The characters of a profile that the PDF would show as U+FFFD. */
export const missingGlyphsOf = async (profile: Profile, style: PdfStyle): Promise<readonly string[]> =>
  (await openResumeRenderer(style)(profile, '{}')).missingGlyphs;

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url));

async function openRenderer({ theme, paper, template, fontDir }: PdfStyle) {
  const path = template ?? pathOf(`./templates/${theme}.typ`);
  const folder = dirname(path);
  const fontFolders = [pathOf(new URL('../fonts', import.meta.resolve('@embedpdf/fonts-latin')).href)];
  if (fontDir !== undefined) fontFolders.push(fontDir);
  const typst = await openTypst({
    folder,
    // A copy of a theme finds the files that themes import, unless it has copies of them beside it.
    overlays: ['resume.typ', 'layout.typ']
      .filter((name) => !existsSync(join(folder, name)))
      .map((name) => ({ path: join(folder, name), text: readFileSync(pathOf(`./templates/${name}`)) })),
    fontFolders,
  });
  const ownFamilies = fontDir === undefined ? [] : fontFamiliesIn(fontDir);
  const fonts = JSON.stringify(['Noto Sans', ...ownFamilies, 'Libertinus Serif']);

  return ({ candidate, experience, projects, resume }: Profile, resumeJson: string): RenderedResume => {
    const missing = new Set<string>();
    const toRenderable = (_key: string, value: unknown) =>
      typeof value === 'string' ? withReplacements(value, missing) : value;
    try {
      for (;;) {
        const profile = JSON.stringify({ candidate, experience, projects, resume }, toRenderable);
        const result = typst.toPdf(fitted(typst, { path, inputs: { profile, resume: resumeJson, paper, fonts } }));
        if ('pdf' in result) return { pdf: result.pdf, missingGlyphs: [...missing].sort() };
        const { size } = missing;
        for (const character of result.missingGlyphs) missing.add(character);
        if (missing.size === size) throw new Error(`no font has a glyph for ${result.missingGlyphs.join(' ')}`);
      }
    } finally {
      typst.evictCache();
    }
  };
}

// Typst's PDF writer (krilla 0.6) panics at a word of more than 65,535 bytes, and a panic ends the process.
const maxWordBytes = 60_000;

/** Replaces the characters without a glyph. Throws if a word is too long for the PDF writer. */
function withReplacements(text: string, missing: ReadonlySet<string>): string {
  // The fonts of a template may lack U+FFFD itself.
  const replacement = missing.has('\u{fffd}') ? '?' : '\u{fffd}';
  const characters = Array.from(text.toWellFormed().replaceAll('\t', ' '));
  const renderable = characters.map((character) => (missing.has(character) ? replacement : character)).join('');
  if (renderable.split(/[ \r\n]/).some((word) => Buffer.byteLength(word) > maxWordBytes))
    throw new Error(`a word is longer than ${maxWordBytes} bytes`);
  return renderable;
}

/** The end of a document: how many pages it has, and which part of the last one is filled, 0 to 1. */
interface End {
  readonly pages: number;
  readonly filled: number;
}

/** Returns a source with less space if that saves its last page, and that page is less than a third full; otherwise as it is. */
function fitted(typst: Typst, { path, inputs }: Source): Source {
  const [loose, ...tighter] = ['0', '1', '2', '3'].map((tightness) => ({ path, inputs: { ...inputs, tightness } }));
  const endOf = (source: Source) => (typst.valuesOf(source, '<end>') as End[]).at(-1);
  const end = endOf(loose!);
  if (end === undefined || end.pages === 1 || end.filled > 1 / 3) return loose!;
  return tighter.find((source) => endOf(source)!.pages < end.pages) ?? loose!;
}
