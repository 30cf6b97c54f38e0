/** Returns the texts that are neither undefined nor empty. */
export const nonEmpty = (...texts: readonly (string | undefined)[]): string[] =>
  texts.filter((text): text is string => text !== undefined && text !== '');
