import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../service/config.ts';
import { keyOf, toWords } from './database-words.ts';

/** Adds `restore FILE`: a backup in the place of the database. */
export function addRestoreTo(program: Command, configOf: () => Config): void {
  program
    .command('restore')
    .description('put a backup in the place of the database, which is kept under another name')
    .argument('<file>', 'the backup')
    .option('--json', 'print as JSON what was restored and where the database before it is kept')
    .addHelpText('after', '\nStop the service first. An older backup is brought up to date by the next start.')
    .action(async (path: string, { json = false }: { json?: boolean }) => {
      const { restore } = await import('../adapters/store/sqlite/restore.ts');
      const config = configOf();
      const file = resolve(path);
      const { contents, replaced } = await restore(file, config.databasePath, new Date());
      const { contacts, tokens, waiting } = contents;
      console.error(`${config.databasePath}: ${toWords(contents)}, as in ${file}`);
      if (replaced !== null) console.error(`The database before it is kept as ${replaced}`);
      console.error(
        'What was done since that backup is undone, revocations and erasures included; its waiting mail is sent again.',
      );
      const key = keyOf(config);
      if (config.signingKey === undefined && !existsSync(key))
        console.error(
          `${key} is not there: without your copy of it, the next start makes another and every token ends.`,
        );
      if (json)
        console.log(
          JSON.stringify({ file, database: config.databasePath, replaced, contacts, tokens, waiting }, null, 2),
        );
    });
}
