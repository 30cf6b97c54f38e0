import type { Command } from 'commander';
import { pluralize } from 'resume-profile/text';
import type { DatabasePlace } from '../adapters/store/store.ts';
import type { StoreCopy } from '../adapters/store/store-copy.ts';
import { databasePlaceOf } from '../service/config/config.ts';
import { DatabaseUrl } from '../service/config/settings.ts';
import { confirm, type Io, withProgress } from './terminal.ts';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds `migrate-store`: copies a store between SQLite and PostgreSQL. */
export function addMigrateStoreTo(program: Command, io: Io): void {
  program
    .command('migrate-store')
    .description('copy the database to an empty one, between SQLite and PostgreSQL; asks first on a terminal')
    .requiredOption('--from <database>', 'what is copied: a file, or postgres://USER@HOST/DATABASE')
    .requiredOption('--to <database>', 'the empty or new database that it is copied to')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON the number of rows and the SHA-256 of each table')
    .addHelpText('after', help)
    .action((options: Options, command: Command) => migrateStore(io, options, command));
}

const help = `
Stop the service first: what it stores after the copy has begun is not copied.
A password on the command line can be seen by others: the variable PGPASSWORD can hold it.
Sessions at the desk and links to sign in are left out, as in a backup: sign in again.
The signing key is not in the database: give the service at its new place the same.`;

async function migrateStore(io: Io, { yes, json = false, ...options }: Options, command: Command): Promise<void> {
  const [from, to] = (['from', 'to'] as const).map((option) => {
    const { data, error } = DatabaseUrl.safeParse(options[option]);
    // Without what was typed, which may hold a password.
    return databasePlaceOf(data ?? command.error(`error: --${option} ${error?.issues[0]?.message}`), process.cwd());
  }) as [DatabasePlace, DatabasePlace];
  const question = [
    `This copies ${from.name}`,
    `to ${to.name}, which must be empty.`,
    'Stop the service first: what it stores after the copy has begun is not copied.',
  ];
  await confirm(io, () => question.join('\n'), yes);
  const tables = await withProgress(io, 'Copying the database', () => copy(from, to));
  io.console.error(`${to.name}: ${summaryOf(tables)}, the same as in ${from.name}`);
  io.console.error('Sessions at the desk and links to sign in were left out: sign in again.');
  io.console.error(nextStepOf(to));
  if (json) io.console.log(JSON.stringify({ from: from.name, to: to.name, tables }, null, 2));
}

async function copy(from: DatabasePlace, to: DatabasePlace): Promise<StoreCopy> {
  const { copyStore, openCopySource, openCopyTarget } = await import('../adapters/store/store-copy.ts');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error(`Interrupted: ${to.name} is as it was before.`));
  using interruptible = new DisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, interrupt);
    interruptible.defer(() => process.off(signal, interrupt));
  }
  await using source = await openCopySource(from);
  await using target = await openCopyTarget(to);
  const tables = await copyStore(source, target, interruption.signal);
  target.keep();
  return tables;
}

function summaryOf({ contacts, issued_tokens, reads, ...others }: StoreCopy): string {
  const rows = Object.values(others).reduce((sum, table) => sum + table.rows, 0);
  const counts = [
    pluralize(contacts.rows, 'contact'),
    pluralize(issued_tokens.rows, 'token'),
    pluralize(reads.rows, 'read'),
    pluralize(rows, 'other row'),
  ];
  return counts.join(', ');
}

const nextStepOf = (to: DatabasePlace): string =>
  'url' in to
    ? 'Now set DATABASE_URL to that address, and SIGNING_KEY to the text of DATA_DIR/signing-key.json: with another key, every token ends.'
    : 'Now set DATABASE_URL to that file. Keep SIGNING_KEY: with another key, every token ends.';
