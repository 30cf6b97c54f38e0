import type { Profile } from '../../model/profile/profile-document.ts';
import { textsOf } from '../../model/profile/texts.ts';
import { pluralize, toCodePointNotation, toVisible } from '../../model/text.ts';
import type { Warning } from './lint.ts';
import { hiddenCharacters } from './lint.ts';

const ownNames = (scripts: string) => Object.fromEntries(scripts.split(' ').map((script) => [script, script]));

/** The scripts that the included fonts lack, by their Unicode names, with what people call them. */
const packages = [
  {
    fonts: 'Debian’s fonts-noto-cjk in /usr/share/fonts/opentype/noto',
    scripts: { Han: 'Chinese', Hiragana: 'Japanese', Katakana: 'Japanese', Hangul: 'Korean' },
    // Fullwidth punctuation, which belongs to no script.
    besides: '\uff00-\uffef',
  },
  {
    fonts: 'Debian’s fonts-noto-core in /usr/share/fonts/truetype/noto',
    scripts: ownNames(
      'Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Syriac Tamil Telugu Thaana Thai Tibetan',
    ),
    besides: '',
  },
];

/** A character for people who know the text: `“🚀” (U+1F680)`. */
export const quoted = (character: string): string => `“${toVisible(character)}” (${toCodePointNotation(character)})`;

/** A warning about characters that no font has. */
interface Finding {
  readonly characters: readonly string[];
  readonly message: string;
}

/**
 * Explains which characters the resume PDF shows as U+FFFD: those of scripts in one finding for each package of fonts
 * that has them, all others in one that names each.
 */
export function explainMissingGlyphs(missing: readonly string[], nameOf = toCodePointNotation): Finding[] {
  let others = missing;
  const findings: Finding[] = [];
  for (const { fonts, scripts, besides } of packages) {
    const names = Object.entries(scripts).flatMap(([script, name]) => {
      const ofScript = new RegExp(`\\p{Script=${script}}`, 'u');
      return others.some((one) => ofScript.test(one)) ? [name] : [];
    });
    if (names.length === 0) continue;
    // Script extensions are the marks, digits and punctuation that scripts share.
    const shared = Object.keys(scripts).map((script) => `\\p{Script_Extensions=${script}}`);
    const ofPackage = new RegExp(`[${shared.join('')}${besides}]`, 'u');
    const characters = others.filter((one) => ofPackage.test(one));
    others = others.filter((one) => !ofPackage.test(one));
    const kind = `${[...new Set(names)].join(' and ')} character`;
    const message = `the PDF shows \ufffd for ${pluralize(characters.length, kind)}, which no font has; set FONT_DIR to a folder of fonts that do, such as ${fonts}`;
    findings.push({ characters, message });
  }
  if (others.length > 0) {
    const names = others.map(nameOf).join(', ');
    findings.push({ characters: others, message: `the PDF shows \ufffd for ${names}, which no font has` });
  }
  return findings;
}

/** The parts of a profile that its PDF could not print. */
export interface PdfFlaws {
  /** The characters that no font has a glyph for. The PDF shows U+FFFD in their place. */
  readonly missingGlyphs: readonly string[];
  /** Why the photo is not printed, in words that follow its name; null if it is, or the profile has none. */
  readonly photoFault: string | null;
  /** By how many lines it is longer than `resume.pages`, set as small and tight as it may be; null if it is not. */
  readonly linesOver: number | null;
}

/** Explains that the PDF is so many lines longer than `resume.pages`. */
export const explainLength = (linesOver: number, pages: number): string =>
  `the PDF is about ${pluralize(linesOver, 'line')} too long for ${pluralize(pages, 'page')}, in the smallest type and with the least space; shorten it, or allow more pages`;

/** Warns of missing characters, of a photo that was not printed, and of a resume longer than its pages. */
export const pdfWarningsOf = (profile: Profile, { missingGlyphs, photoFault, linesOver }: PdfFlaws): Warning[] => [
  ...glyphWarningsOf(profile, missingGlyphs),
  ...(photoFault === null
    ? []
    : [{ path: ['resume', 'photo'], message: `the file ${photoFault}; the PDF is printed without it` }]),
  ...(linesOver === null || profile.resume.pages === undefined
    ? []
    : [{ path: ['resume', 'pages'], message: explainLength(linesOver, profile.resume.pages) }]),
];

/** Warns of characters that the PDF shows as U+FFFD, at the first text with one; hidden ones have a warning already. */
function glyphWarningsOf(profile: Profile, missingGlyphs: readonly string[]): Warning[] {
  const texts = textsOf(profile);
  const visible = missingGlyphs.filter((character) => character.search(hiddenCharacters) === -1);
  return explainMissingGlyphs(visible, quoted).map(({ characters, message }) => {
    const first = texts.find(({ text }) => characters.some((one) => text.includes(one)));
    // The headings, too, may lack a font.
    return { path: first?.path ?? ['resume', 'language'], message };
  });
}
