import { resolve } from 'node:path';
import type { Command } from 'commander';
import { nameOf } from '../adapters/profile/profile-source.ts';
import type { Config } from '../service/config/config.ts';
import { databaseFileOf, summaryOf } from './database.ts';
import { withProgress } from './terminal.ts';

/** Adds `backup FILE`: copies the database, whether the service runs or not. */
export function addBackupTo(program: Command, configOf: () => Config): void {
  program
    .command('backup')
    .description('copy the database to a new file; the service may go on running')
    .argument('<file>', 'the file to write, which must not exist')
    .option('--json', 'print as JSON the path, the size and the number of rows')
    .addHelpText('after', '\nThe signing key and the profile are files of their own: copy them, too.')
    .action(async (path: string, { json = false }: { json?: boolean }) => {
      const { backUp } = await import('../adapters/store/sqlite/backup.ts');
      const { keyFileIn } = await import('../adapters/tokens/keys.ts');
      const config = configOf();
      const database = databaseFileOf(config, 'pg_dump');
      const file = resolve(path);
      const contents = await withProgress('Copying the database', () => backUp(database, file));
      const { contacts, tokens, waiting, bytes } = contents;
      console.error(`${file}: ${summaryOf(contents)}`);
      const key = config.signingKey === undefined ? keyFileIn(config.dataDir) : 'SIGNING_KEY';
      console.error(`It does not contain the signing key (${key}) and the profile (${nameOf(config.profile)}).`);
      console.error('Keep copies of these, too: without the key, no token or PDF link is valid any more.');
      if (json) console.log(JSON.stringify({ file, bytes, contacts, tokens, waiting }, null, 2));
    });
}
