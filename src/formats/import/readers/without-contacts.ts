import { omit } from '../source/value.ts';
import type { DraftEntry } from './draft.ts';

/** Leaves out phone numbers and e-mail addresses, because the entries of sections can be served to visitors. */
export const withoutContacts = (fields: readonly DraftEntry[]): DraftEntry[] =>
  fields.filter(({ text, details }) => {
    const value = details ?? text;
    const isContact = /\S@[^\s@]+\.\S|^[+(]?(\d[\s()./-]*){7,}$/.test(value?.text ?? '');
    if (isContact) omit(value!, 'The profile has one e-mail address and one phone number, and shows them to nobody');
    return !isContact;
  });
