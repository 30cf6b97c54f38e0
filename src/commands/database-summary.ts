import type { Contents } from '../adapters/store/contents.ts';
import { pluralize } from '../model/pluralize.ts';

/** Returns what a person recognizes a database by: `3 contacts, 1 token, 0 mails waiting`. */
export const summaryOf = ({ contacts, tokens, waiting }: Contents): string =>
  `${pluralize(contacts, 'contact')}, ${pluralize(tokens, 'token')}, ${pluralize(waiting, 'mail')} waiting`;
