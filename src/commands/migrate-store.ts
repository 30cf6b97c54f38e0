import type { Command } from 'commander';
import { pluralize } from 'resume-profile/text';
import type { DatabasePlace } from '../adapters/store/store.ts';
import { databasePlaceOf } from '../service/config/config.ts';
import { DatabaseUrl } from '../service/config/settings.ts';
import { confirm, type Io, withProgress } from './terminal.ts';

export function addMigrateStoreTo(program: Command, io: Io): void {
  program
    .command('migrate-store')
    .description('copy the database to an empty one, between SQLite and PostgreSQL; asks first on a terminal')
    .requiredOption('--from <database>', 'what is copied: a file, or postgres://USER@HOST/DATABASE')
    .requiredOption('--to <database>', 'the empty or new database that it is copied to')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON the number of rows and the SHA-256 of each table')
    .addHelpText('after', help)
    .action((options: MigrateOptions, command: Command) => migrateStore(io, options, command));
}

const stop = 'Stop the service first: what it stores after the copy has begun is not copied.';
const help = `
${stop}
A password on the command line can be seen by others: the variable PGPASSWORD can hold it.
Sessions at the desk and links to sign in are left out, as in a backup: sign in again.
The signing key is not in the database: give the service at its new place the same.`;

type MigrateOptions = Readonly<Record<'from' | 'to', string> & { yes?: boolean; json?: boolean }>;

async function migrateStore(io: Io, options: MigrateOptions, command: Command): Promise<void> {
  const placeOf = (option: 'from' | 'to'): DatabasePlace => {
    const { data, error } = DatabaseUrl.safeParse(options[option]);
    // Does not quote the typed text, which may contain a password.
    return databasePlaceOf(data ?? command.error(`error: --${option} ${error?.issues[0]?.message}`), process.cwd());
  };
  const [from, to] = [placeOf('from'), placeOf('to')];
  await confirm(io, () => `This copies ${from.name}\nto ${to.name}, which must be empty.\n${stop}`, options.yes);
  const { copyStore } = await import('../adapters/store/store-copy.ts');
  const tables = await withProgress(io, 'Copying the database', () => copyStore(from, to));
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  io.console.error(`${to.name}: ${pluralize(rows, 'row')}, the same as in ${from.name}`);
  io.console.error('Sessions at the desk and links to sign in were left out: sign in again.');
  const key = 'url' in to ? 'set SIGNING_KEY to the text of DATA_DIR/signing-key.json' : 'keep SIGNING_KEY';
  io.console.error(`Now set DATABASE_URL to that database, and ${key}: with another key, every token ends.`);
  if (options.json) io.console.log(JSON.stringify({ from: from.name, to: to.name, tables }, null, 2));
}
