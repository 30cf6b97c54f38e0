/** Returns a text with a capital letter at its beginning. */
export const capitalize = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
