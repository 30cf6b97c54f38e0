import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Contents } from '../adapters/database-file.ts';
import { keyFileIn } from '../adapters/key-file.ts';
import type { Config } from '../config.ts';

/** Adds `backup FILE`: a copy of the database, also while the service runs. */
export function addBackupTo(program: Command, configOf: () => Config): void {
  program
    .command('backup')
    .description('copy the database to a new file, while the service runs or not')
    .argument('<file>', 'the file to write; one that exists is not replaced')
    .option('--json', 'print the path, its size and what is in it as JSON')
    .addHelpText('after', '\nThe signing key and the profile are files of their own and not in it.')
    .action(async (path: string, { json = false }: { json?: boolean }) => {
      const { backUp } = await import('../adapters/backup.ts');
      const config = configOf();
      const file = resolve(path);
      const contents = backUp(config.databasePath, file);
      const { contacts, tokens, waiting, bytes } = contents;
      console.error(`${file}: ${toWords(contents)}`);
      console.error(`Not in it: the signing key (${keyOf(config)}) and the profile (${config.profilePath}).`);
      console.error('Keep copies of these apart from it: without the key every token ends.');
      if (json) console.log(JSON.stringify({ file, bytes, contacts, tokens, waiting }, null, 2));
    });
}

/** `3 contacts, 1 token, 0 mails waiting` */
export const toWords = ({ contacts, tokens, waiting }: Contents): string =>
  [count(contacts, 'contact'), count(tokens, 'token'), `${count(waiting, 'mail')} waiting`].join(', ');

/** `1 token`, `2 tokens` */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Where the signing key is kept. */
export const keyOf = ({ signingKey, dataDir }: Config): string =>
  signingKey === undefined ? keyFileIn(dataDir) : 'SIGNING_KEY';
