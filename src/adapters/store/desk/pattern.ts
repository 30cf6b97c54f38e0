/** Returns a pattern of LIKE, with `\\` as the escape character, for texts that contain a text. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
