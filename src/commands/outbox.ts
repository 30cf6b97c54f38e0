import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { toTable } from './table.ts';

/** Adds `outbox list` and `outbox retry`. */
export function addOutboxTo(program: Command, configOf: () => Config): void {
  const outbox = program.command('outbox').description('the notices that have not reached you yet');
  outbox
    .command('list')
    .description('list the notices that wait, and the dead letters')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => list(configOf(), json));
  outbox
    .command('retry')
    .description('send dead letters after all; a running service does so within 10 seconds')
    .option('--id <id>', 'the one with this id, as the list shows it; without it all')
    .option('--json', 'print as JSON how many there are')
    .action(({ id, json = false }: { id?: string; json?: boolean }) => retry(configOf(), id, json));
}

async function list(config: Config, isJson: boolean): Promise<void> {
  await using opened = await open(config);
  const rows = (await opened.store.listUnsent()).map(({ id, kind, createdAt, attempts, dueAt, lastError }) => ({
    id,
    kind,
    created_at: createdAt.toISOString(),
    attempts,
    due_at: dueAt?.toISOString() ?? null,
    state: dueAt === null ? 'dead' : 'waiting',
    last_error: lastError,
  }));
  if (isJson) return console.log(JSON.stringify(rows, null, 2));
  console.log(
    toTable([
      ['id', 'kind', 'created', 'attempts', 'state', 'due', 'last error'],
      ...rows.map((row) => [
        row.id,
        row.kind,
        row.created_at,
        String(row.attempts),
        row.state,
        row.due_at ?? '',
        row.last_error ?? '',
      ]),
    ]),
  );
}

async function retry(config: Config, id: string | undefined, isJson: boolean): Promise<void> {
  await using opened = await open(config);
  const retried = await opened.store.retryDeadLetters(new Date(), id);
  if (id !== undefined && retried === 0) throw new Error(`No dead letter has the id ${id}; see outbox list.`);
  if (isJson) console.log(JSON.stringify({ retried }));
  console.error(`Dead letters to be sent again: ${retried}.`);
}

/** Opened here and not above: other commands shall not load it. */
const open = async (config: Config) => (await import('../open-store.ts')).openOwnersStore(config);
