import type { Warning } from 'resume-profile/lint';
import { hiddenCharacters } from 'resume-profile/lint';
import type { Profile } from 'resume-profile/profile-document';
import { tagOf } from 'resume-profile/resume-language';
import { pluralize, toCodePointNotation, toVisible } from 'resume-profile/text';
import { textsOf } from 'resume-profile/texts';

/** Faces for scripts that the included fonts lack. */
interface Faces {
  /** Scripts by their Unicode names, with their common names. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Further characters, as in a class of a regular expression. */
  readonly others: string;
  readonly remedy: string;
}

/** Faces in an npm package, which are used without a setting once it is installed. */
interface FontPackage extends Faces {
  readonly name: string;
  readonly family: string;
  /** The languages that take Chinese characters from it. */
  readonly languages: readonly string[];
}

/** Chinese characters, and fullwidth punctuation, which belongs to no script. */
const eastAsian = '\\p{Script=Han}\uff00-\uffef';

function packageOf(
  [name, family]: readonly [name: string, family: string],
  [people, ...scripts]: readonly [people: string, ...scripts: string[]],
  others = '',
  languages: readonly string[] = [],
): FontPackage {
  const named = Object.fromEntries(scripts.map((script) => [script, people]));
  return { name, family, scripts: named, others, languages, remedy: `to print them: npm install ${name}` };
}

/** The first package that has a script or the language of a text is named. */
export const fontPackages: readonly FontPackage[] = [
  packageOf(['@embedpdf/fonts-jp', 'Noto Sans Japanese'], ['Japanese', 'Hiragana', 'Katakana'], eastAsian, ['ja']),
  packageOf(['@embedpdf/fonts-kr', 'Noto Sans Korean'], ['Korean', 'Hangul'], eastAsian, ['ko']),
  packageOf(['@embedpdf/fonts-tc', 'Noto Sans T Chinese'], ['Chinese', 'Bopomofo'], eastAsian, ['zh-TW', 'zh-HK']),
  packageOf(['@embedpdf/fonts-sc', 'Noto Sans S Chinese'], ['Chinese', 'Han'], eastAsian),
  packageOf(['@embedpdf/fonts-arabic', 'Noto Naskh Arabic'], ['Arabic', 'Arabic']),
  packageOf(['@embedpdf/fonts-hebrew', 'Noto Sans Hebrew'], ['Hebrew', 'Hebrew']),
];

const ownNames = (scripts: string) => Object.fromEntries(scripts.split(' ').map((script) => [script, script]));

const folderOf = (fonts: string) => `set FONT_DIR to a folder of fonts that do, such as Debian’s ${fonts}`;

/** Faces for characters that the npm packages lack. */
const debianPackages: readonly Faces[] = [
  {
    scripts: { Han: 'Chinese', Bopomofo: 'Chinese', Hiragana: 'Japanese', Katakana: 'Japanese', Hangul: 'Korean' },
    others: eastAsian,
    remedy: folderOf('fonts-noto-cjk in /usr/share/fonts/opentype/noto'),
  },
  {
    scripts: ownNames(
      'Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Syriac Tamil Telugu Thaana Thai Tibetan',
    ),
    others: '',
    remedy: folderOf('fonts-noto-core in /usr/share/fonts/truetype/noto'),
  },
];

/** A character for people who know the text: `“🚀” (U+1F680)`. */
export const quoted = (character: string): string => `“${toVisible(character)}” (${toCodePointNotation(character)})`;

/** A warning about characters that no font has. */
export interface LeftOut {
  readonly characters: readonly string[];
  readonly message: string;
}

interface MissingGlyphOptions {
  /** The language of the resume. */
  readonly language?: string | undefined;
  /** The names of the installed font packages. */
  readonly installed?: readonly string[] | undefined;
  readonly nameOf?: (character: string) => string;
}

/**
 * Explains which characters the resume PDF leaves out: a finding for each font package that has some of them, and one finding
 * that names all others.
 */
export function explainMissingGlyphs(
  missing: readonly string[],
  { language, installed = [], nameOf = toCodePointNotation }: MissingGlyphOptions = {},
): LeftOut[] {
  const tag = tagOf(language);
  const packages = fontPackages
    .filter(({ name }) => !installed.includes(name))
    .map(({ languages, scripts, ...faces }) => ({
      ...faces,
      scripts: languages.includes(tag) ? { ...scripts, Han: Object.values(scripts)[0]! } : scripts,
    }));
  let others = missing;
  const findings: LeftOut[] = [];
  for (const { scripts, others: further, remedy } of [...packages, ...debianPackages]) {
    const names = Object.entries(scripts).flatMap(([script, name]) => {
      const ofScript = new RegExp(`\\p{Script=${script}}`, 'u');
      return others.some((one) => ofScript.test(one)) ? [name] : [];
    });
    if (names.length === 0) continue;
    // Script extensions are the marks, digits and punctuation that scripts share.
    const shared = Object.keys(scripts).map((script) => `\\p{Script_Extensions=${script}}`);
    const ofPackage = new RegExp(`[${shared.join('')}${further}]`, 'u');
    const characters = others.filter((one) => ofPackage.test(one));
    others = others.filter((one) => !ofPackage.test(one));
    const kind = `${[...new Set(names)].join(' and ')} character`;
    const message = `the PDF leaves out ${pluralize(characters.length, kind)}, which no font has; ${remedy}`;
    findings.push({ characters, message });
  }
  if (others.length > 0) {
    const names = others.map(nameOf).join(', ');
    findings.push({ characters: others, message: `the PDF leaves out ${names}, which no font has` });
  }
  return findings;
}

/** The parts of a profile that its PDF could not print. */
export interface PdfFlaws {
  /** The characters that no font has a glyph for. The PDF leaves them out. */
  readonly missingGlyphs: readonly string[];
  /** The names of the installed font packages. */
  readonly installedFonts?: readonly string[];
  /** The reason why the photo is not printed, in words that follow its name; null if it is, or the profile has none. */
  readonly photoFault: string | null;
  /** The number of lines beyond `resume.pages` at the smallest and tightest setting; null if it fits. */
  readonly linesOver: number | null;
}

/** Explains that the PDF is `linesOver` lines longer than `resume.pages`. */
export const explainLength = (linesOver: number, pages: number): string =>
  `the PDF is about ${pluralize(linesOver, 'line')} too long for ${pluralize(pages, 'page')}, in the smallest type and with the least space; shorten it, or allow more pages`;

/** Warns of missing characters, of a photo that was not printed, and of a resume longer than its pages. */
export const pdfWarningsOf = (profile: Profile, { photoFault, linesOver, ...flaws }: PdfFlaws): Warning[] => [
  ...glyphWarningsOf(profile, flaws),
  ...(photoFault === null
    ? []
    : [{ path: ['resume', 'photo'], message: `the file ${photoFault}; the PDF is printed without it` }]),
  ...(linesOver === null || profile.resume.pages === undefined
    ? []
    : [{ path: ['resume', 'pages'], message: explainLength(linesOver, profile.resume.pages) }]),
];

type MissingGlyphs = Pick<PdfFlaws, 'missingGlyphs' | 'installedFonts'>;

/** Explains which characters the PDF of a profile leaves out. Hidden ones have a warning already. */
export function leftOutOf({ resume }: Profile, { missingGlyphs, installedFonts }: MissingGlyphs): LeftOut[] {
  const visible = missingGlyphs.filter((character) => character.search(hiddenCharacters) === -1);
  return explainMissingGlyphs(visible, { language: resume.language, installed: installedFonts, nameOf: quoted });
}

/** Warns of characters that the PDF leaves out, at the first text with one. */
function glyphWarningsOf(profile: Profile, flaws: MissingGlyphs): Warning[] {
  const texts = textsOf(profile);
  return leftOutOf(profile, flaws).map(({ characters, message }) => {
    const first = texts.find(({ text }) => characters.some((one) => text.includes(one)));
    // The headings may lack a font, too.
    return { path: first?.path ?? ['resume', 'language'], message };
  });
}
