/** The texts that are given and not empty. */
export const given = (...texts: readonly (string | undefined)[]): string[] =>
  texts.filter((text): text is string => text !== undefined && text !== '');
