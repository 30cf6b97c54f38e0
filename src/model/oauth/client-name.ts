import { isVisible } from '../visible-text.ts';

const longestName = 60;

/** Whether a client describes itself by a document: its id is the address of that. */
export const hasDocument = (clientId: string): boolean => URL.canParse(clientId);

/** Returns the name that a client has chosen, on one line and at most 60 characters long; null if nothing in it can be seen. */
export function toClientName(given: string | undefined): string | null {
  if (given === undefined || !isVisible(given)) return null;
  const characters = [...given.normalize('NFC').replace(/\s+/g, ' ').trim()];
  return characters.length <= longestName ? characters.join('') : `${characters.slice(0, longestName - 1).join('')}…`;
}
