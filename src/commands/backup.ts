import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { nameOf } from '../adapters/profile/profile-source.ts';
import { databaseFileOf, summaryOf } from './database.ts';
import { confirm, type Io, withProgress } from './terminal.ts';

export function addBackupTo(program: Command, io: Io): void {
  program
    .command('backup')
    .description('copy the database to a new file; the service may go on running')
    .argument('<file>', 'the file to write, which must not exist')
    .option('--json', 'print as JSON the path, the size and the number of rows')
    .addHelpText('after', '\nThe signing key and the profile are files of their own: copy them, too.')
    .action(async (path: string, { json = false }: { json?: boolean }) => {
      const { backUp } = await import('../adapters/store/sqlite/backup.ts');
      const { keyFileIn } = await import('../adapters/tokens/keys.ts');
      const config = io.configOf();
      const database = databaseFileOf(config, 'pg_dump');
      const file = resolve(path);
      const contents = await withProgress(io, 'Copying the database', () => backUp(database, file));
      const { contacts, tokens, waiting, bytes } = contents;
      io.console.error(`${file}: ${summaryOf(contents)}`);
      const key = config.signingKey === undefined ? keyFileIn(config.dataDir) : 'SIGNING_KEY';
      io.console.error(`It does not contain the signing key (${key}) and the profile (${nameOf(config.profile)}).`);
      io.console.error('Keep copies of these, too: without the key, no token and no link is valid any more.');
      if (json) io.console.log(JSON.stringify({ file, bytes, contacts, tokens, waiting }, null, 2));
    });
}

export function addRestoreTo(program: Command, io: Io): void {
  program
    .command('restore')
    .description('replace the database, which is kept under another name, by a backup; asks first on a terminal')
    .argument('<file>', 'the backup')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON what was restored and where the previous database is kept')
    .addHelpText('after', '\nStop the service first. The next start migrates an older backup.')
    .action(async (path: string, { yes, json = false }: { yes?: boolean; json?: boolean }) => {
      const { restore } = await import('../adapters/store/sqlite/backup.ts');
      const { keyFileIn } = await import('../adapters/tokens/keys.ts');
      const config = io.configOf();
      const database = databaseFileOf(config, 'pg_restore');
      const file = resolve(path);
      await confirm(io, () => consequenceOf(file, database), yes);
      const { contents, replaced } = await withProgress(io, 'Restoring the backup', () =>
        restore(file, database, new Date()),
      );
      const { contacts, tokens, waiting } = contents;
      io.console.error(`${database}: ${summaryOf(contents)}, as in ${file}`);
      if (replaced !== null) io.console.error(`The previous database is kept as ${replaced}`);
      io.console.error(
        'What was done since that backup is undone, revocations, ended links and erasures included; its waiting mail is sent again.',
      );
      const key = keyFileIn(config.dataDir);
      if (config.signingKey === undefined && !existsSync(key))
        io.console.error(
          `${key} does not exist. Put your copy there before the next start, which otherwise generates a new key and so ends every token.`,
        );
      if (json) io.console.log(JSON.stringify({ file, database, replaced, contacts, tokens, waiting }, null, 2));
    });
}

/** Describes which database is replaced by which; null if either is missing. Throws if the backup is damaged. */
async function consequenceOf(file: string, databasePath: string): Promise<string | null> {
  if (!existsSync(databasePath) || !existsSync(file)) return null;
  const { readDatabaseFile } = await import('../adapters/store/sqlite/database-file.ts');
  const backup = summaryOf(await readDatabaseFile(file, 'quick_check'));
  const current = await readDatabaseFile(databasePath, 'quick_check').then(summaryOf, () => 'cannot be read');
  return [
    `This replaces ${databasePath} (${current})`,
    `by ${file} (${backup}).`,
    'What was done since that backup is undone, revocations, ended links and erasures included.',
  ].join('\n');
}
