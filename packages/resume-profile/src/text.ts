// Characters that are invisible, change others or control a terminal, except the variation selectors of emoji.
const deceptive =
  /(?![\ufe0e\ufe0f\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes control characters except tab and newline, and invisible and bidirectional characters, as `\u{…}`. */
export const toVisible = (text: string): string =>
  text.replace(deceptive, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Whether a text has a character that can be seen. */
export const isVisible = (text: string): boolean =>
  /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** A count with its noun: `1 token`, `2 tokens`. Only for nouns whose plural just adds `s`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The length of a text in code points, as JSON Schema counts characters. */
export const countCodePoints = (text: string): number => [...text].length;

/** A character in the notation of the Unicode Standard: `U+200B`. */
export const toCodePointNotation = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const rightToLeft =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Returns the direction of the script of the first letter, `ltr` for a text without letters. */
export const directionOf = (text: string): 'ltr' | 'rtl' => (rightToLeft.test(text) ? 'rtl' : 'ltr');
