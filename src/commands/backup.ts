import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../service/config.ts';
import { keyOf, toWords } from './database-words.ts';

/** Adds `backup FILE`: a copy of the database, also while the service runs. */
export function addBackupTo(program: Command, configOf: () => Config): void {
  program
    .command('backup')
    .description('copy the database to a new file, while the service runs or not')
    .argument('<file>', 'the file to write; one that exists is not replaced')
    .option('--json', 'print the path, its size and what is in it as JSON')
    .addHelpText('after', '\nThe signing key and the profile are files of their own and not in it.')
    .action(async (path: string, { json = false }: { json?: boolean }) => {
      const { backUp } = await import('../adapters/store/sqlite/backup.ts');
      const config = configOf();
      const file = resolve(path);
      const contents = await backUp(config.databasePath, file);
      const { contacts, tokens, waiting, bytes } = contents;
      console.error(`${file}: ${toWords(contents)}`);
      console.error(`Not in it: the signing key (${keyOf(config)}) and the profile (${config.profilePath}).`);
      console.error('Keep copies of these apart from it: without the key every token ends.');
      if (json) console.log(JSON.stringify({ file, bytes, contacts, tokens, waiting }, null, 2));
    });
}
