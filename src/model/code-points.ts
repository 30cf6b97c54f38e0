/** The length of a text in code points, as JSON Schema counts characters. */
export const countCodePoints = (text: string): number => [...text].length;

/** A character in the notation of the Unicode Standard: `U+200B`. */
export const toCodePointNotation = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
