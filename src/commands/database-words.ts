import type { Contents } from '../adapters/store/sqlite/database-file.ts';
import { keyFileIn } from '../adapters/tokens/key-file.ts';
import type { Config } from '../service/config.ts';

/** `3 contacts, 1 token, 0 mails waiting` */
export const toWords = ({ contacts, tokens, waiting }: Contents): string =>
  [count(contacts, 'contact'), count(tokens, 'token'), `${count(waiting, 'mail')} waiting`].join(', ');

/** `1 token`, `2 tokens` */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Where the signing key is kept. */
export const keyOf = ({ signingKey, dataDir }: Config): string =>
  signingKey === undefined ? keyFileIn(dataDir) : 'SIGNING_KEY';
