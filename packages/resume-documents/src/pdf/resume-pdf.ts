import { dirname, join } from 'node:path';
import { accentsOf } from 'resume-profile/accent';
import { shownIn } from 'resume-profile/hides';
import type { Profile } from 'resume-profile/profile-document';
import { fonts, type papers, type Theme } from 'resume-profile/resume-design';
import { wordsOf } from 'resume-profile/resume-language';
import { textsOf } from 'resume-profile/texts';
import { fontFamiliesIn, fontFolders, installedFonts, missingParts, templatePath } from '../assets.ts';
import type { Letter } from '../letter.ts';
import { toOutline } from '../outline/outline.ts';
import { printedProfileOf } from '../outline/printed-profile.ts';
import { fitted } from './fit.ts';
import { inOrderFor, signFamilies } from './font-names.ts';
import type { PdfFlaws } from './pdf-warnings.ts';
import { type Image, type PhotoReading, unreadable } from './photo.ts';
import { openTypst } from './typst.ts';

/**
 * The style of a resume whose profile names no theme or paper. A `template` replaces the theme, and can read files in its own
 * folder.
 */
export interface PdfStyle {
  readonly theme: Theme;
  readonly paper: (typeof papers)[number];
  readonly template: string | undefined;
  readonly fontDir: string | undefined;
}

export interface RenderedResume extends PdfFlaws {
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** Null if a template does not report its end. */
  readonly pages: number | null;
  /** The pages as SVG, below each other, if requested. */
  readonly svg?: string;
}

/**
 * Renders a profile with the JSON of `GET /resume` attached, or a letter below the head of the resume. Rejects with a one-line
 * reason.
 */
export type RenderResume = (profile: Profile, resumeJson: string, letter?: Letter) => Promise<RenderedResume>;

/**
 * Returns a function that renders tagged PDFs (PDF/UA-1), the same bytes for the same profile and photo, which `photoOf` reads
 * at each call. The first call loads Typst; if that fails, the next call tries again.
 */
export function openResumeRenderer(
  style: PdfStyle,
  photoOf: (profile: Profile) => PhotoReading = () => ({ photo: null, photoFault: null }),
  { withSvg = false } = {},
): RenderResume {
  const opening = new Map<string, ReturnType<typeof openRenderer>>();
  return async (whole, resumeJson, letter) => {
    const profile = shownIn('pdf', whole);
    const { theme } = profile.resume;
    const ofTheme = templatePath(`${theme ?? style.theme}.typ`);
    const template = theme === undefined ? (style.template ?? ofTheme) : ofTheme;
    const opened = opening.get(template) ?? openRenderer(template, style, withSvg);
    opening.set(template, opened);
    const render = await opened.catch((error) => {
      opening.delete(template);
      throw error;
    });
    return withPhoto(photoOf(profile), (photo) => render(profile, resumeJson, photo, letter));
  };
}

type Rendered = Omit<RenderedResume, 'photoFault'>;

/** Renders a profile with its photo, or without it if that cannot be read or rendered. */
function withPhoto({ photo, photoFault }: PhotoReading, render: (photo: Image | null) => Rendered): RenderedResume {
  const without = (photoFault: string | null) => ({ ...render(null), photoFault });
  if (photo === null) return without(photoFault);
  try {
    return { ...render(photo), photoFault };
  } catch {
    // If the photo is not the cause, this throws the same error.
    return without(unreadable);
  }
}

async function openRenderer(path: string, { paper, fontDir }: PdfStyle, withSvg: boolean) {
  const folder = dirname(path);
  const installed = installedFonts();
  const typst = await openTypst({
    folder,
    // A copy of a theme finds the files that themes import, unless it has copies of them beside it.
    overlays: missingParts(folder),
    fontFolders: [
      ...fontFolders(),
      ...installed.map(({ folder }) => folder),
      ...(fontDir === undefined ? [] : [fontDir]),
    ],
  });
  const ownFamilies = [
    ...(fontDir === undefined ? [] : fontFamiliesIn(fontDir)),
    ...installed.map(({ family }) => family),
  ];

  const photoPath = join(folder, 'profile-photo');

  return (profile: Profile, resumeJson: string, photo: Image | null, letter?: Letter): Rendered => {
    const { language, paper: ownPaper, pages: pageLimit } = profile.resume;
    const words = wordsOf(language);
    typst.place(photoPath, photo?.bytes ?? null);
    const fallbacks = JSON.stringify([
      'Noto Sans',
      ...inOrderFor(language, ownFamilies),
      'Libertinus Serif',
      ...signFamilies,
    ]);
    const design = JSON.stringify(designOf(profile));
    const texts = textsOf([profile, letter]).map(({ text }) => text.toWellFormed());
    const missing = new Set(texts.flatMap((text) => text.match(neverPrinted) ?? []));
    try {
      for (;;) {
        const printable = withoutCharacters(profile, missing);
        const { candidate, experience, projects, resume } = printable;
        // If no font can write the words of the language, English words are better than none.
        const isSpoken = withoutCharacters(words, missing) === words;
        const outline = toOutline(printable, isSpoken ? words : wordsOf());
        const inputs = {
          outline: toJson(outline),
          // For templates of an owner, which may show more than the outline has.
          profile: toJson({ candidate, experience, projects, resume }),
          words: toJson(outline.words),
          letter: toJson(letter === undefined ? null : withoutCharacters(letter, missing)),
          // As it is written, with characters that no font has.
          printed: JSON.stringify(printedProfileOf(profile)),
          direction: outline.direction,
          photo: photo?.format ?? '',
          resume: resumeJson,
          fonts: fallbacks,
          design,
          paper: ownPaper ?? paper,
        };
        const { source, pages, linesOver } = fitted(
          typst,
          { path, inputs },
          letter === undefined ? pageLimit : undefined,
        );
        if (letter !== undefined && typst.valuesOf(source, '<letter>').length === 0)
          throw new Error('the template prints no letter: it has to print all sections by `sections` of resume.typ');
        const result = typst.toPdf(source);
        if ('pdf' in result) {
          const svg = withSvg && { svg: typst.toSvg(source) };
          const flaws = { missingGlyphs: [...missing].sort(), installedFonts: installed.map(({ name }) => name) };
          return { pdf: result.pdf, pages, linesOver, ...svg, ...flaws };
        }
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

// Its shaper (rustybuzz 0.20) panics at a syllable of more than 255 characters, which words of these scripts can form.
const longIndicWord =
  /[\p{scx=Bengali}\p{scx=Devanagari}\p{scx=Gujarati}\p{scx=Gurmukhi}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\u200c\u200d]{201}/u;

/**
 * Returns a value without some characters in its texts; the same value if it has none of them. A text is removed if no letter,
 * digit or sign of it is left, but a name or a company becomes empty.
 */
function withoutCharacters<Value>(value: Value, characters: ReadonlySet<string>): Value {
  const codes = [...characters].map((one) => `\\u{${one.codePointAt(0)!.toString(16)}}`).join('');
  // A lone surrogate is half of a removed character; marks and joiners belong to the character before them.
  const pattern = new RegExp(`( ?)[\\p{Cs}${codes}][\\p{Cs}\\p{M}\\u200d${codes}]*( ?)`, 'gu');
  return (characters.size === 0 ? value : withoutMatches(value, pattern)) as Value;
}

/** Removes all matches from the texts of a value; undefined if nothing of a text is left. */
function withoutMatches(value: unknown, pattern: RegExp, key = ''): unknown {
  if (typeof value === 'string') {
    const text = value
      .split('\n')
      .flatMap((line) => withoutMatchesInLine(line, pattern) ?? [])
      .join('\n');
    return text !== '' || value === '' || key === 'name' || key === 'company' ? text : undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutMatches(inner, pattern, name)] as const);
  if (entries.every(([name, inner]) => inner === value[name as keyof typeof value])) return value;
  const remaining = entries.filter(([, inner]) => inner !== undefined);
  return Array.isArray(value) ? remaining.map(([, inner]) => inner) : Object.fromEntries(remaining);
}

function withoutMatchesInLine(line: string, pattern: RegExp): string | null {
  const text = line.replace(pattern, (match, before: string, after: string, offset: number) => {
    const isBetween = before !== '' && after !== '';
    const neighbour = line[before === '' ? offset - 1 : offset + match.length];
    // One space stays between words; none before a full stop, or beside the mark of a strong text.
    return isBetween || /[\p{L}\p{N}]/u.test(neighbour ?? '') ? before || after : '';
  });
  if (text === line) return line;
  if (!/[\p{L}\p{N}\p{So}\p{Sc}]/u.test(text)) return null;
  const [indent] = /^\s*/.exec(line)!;
  const cleaned = text.replace(/(\*\*?|`)\s*\1|[([{]\s*[)\]}]|(?<!\S)[.,:;!?…]+(?!\S)/g, '').trim();
  return indent + cleaned.replace(/ {2,}/g, ' ');
}

/** Control characters and the replacement character, for which some fonts have a glyph. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
const neverPrinted = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd]/g;

/** Returns data for Typst. Throws if a word is too long for it. */
const toJson = (data: unknown): string =>
  JSON.stringify(data, (_key, value) => {
    if (typeof value !== 'string') return value;
    const text = value.toWellFormed().replaceAll('\t', ' ');
    if (text.split(/[ \r\n]/).some((word) => Buffer.byteLength(word) > maxWordBytes))
      throw new Error(`a word is longer than ${maxWordBytes} bytes`);
    if (longIndicWord.test(text)) throw new Error('a word of an Indic script is longer than 200 characters');
    return text;
  });

/** The settings of the look of a PDF other than theme and paper, for templates. */
function designOf({ resume, accent: ofPages }: Profile) {
  const { size, margins, font, accent = ofPages } = resume;
  return {
    size,
    margins,
    ...(font && { fonts: fonts[font] }),
    ...(accent && { accent: accentsOf(accent).light }),
  };
}
