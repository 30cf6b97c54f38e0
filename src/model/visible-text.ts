// Characters that are invisible, change how others look, or control a terminal, except the two variation selectors of emoji.
const deceptive =
  /(?![\ufe0e\ufe0f\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Escapes control characters except tab and newline, and invisible and bidirectional characters, as `\u{…}`. */
export const toVisible = (text: string): string =>
  text.replace(deceptive, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Whether a text has a character that can be seen. */
export const isVisible = (text: string): boolean =>
  /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
