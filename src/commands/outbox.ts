import type { Command } from 'commander';
import type { WaitReason } from '../operations/ports.ts';
import type { Config } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openState } from './open-state.ts';

const waitTexts: Record<WaitReason, string> = {
  being_sent: 'it is being sent',
  retry: 'it is tried again after a failure',
  same_words: 'the same message was sent within the hour',
  hour_used_up: 'the mails of this hour are used up',
  due: 'a running service sends it next',
};

/** Adds `outbox list` and `outbox retry`. */
export function addOutboxTo(program: Command, configOf: () => Config): void {
  const outbox = program
    .command('outbox')
    .description('list the notices that have not reached you yet, and retry them');
  outbox
    .command('list')
    .description('list the dead letters, and the notices that wait: why and until when')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => list(configOf(), json));
  outbox
    .command('retry')
    .description('queue dead letters again; a running service sends them within 10 seconds')
    .option('--id <id>', 'only the one with this id, as the list shows it')
    .option('--json', 'print as JSON how many were queued')
    .action(({ id, json = false }: { id?: string; json?: boolean }) => retry(configOf(), id, json));
}

async function list(config: Config, isJson: boolean): Promise<void> {
  await using opened = await open(config);
  const rows = (await opened.store.listUnsent(opened.clock.now())).map(
    ({ id, kind, createdAt, attempts, dueAt, lastError, waitsFor, waitsUntil }) => ({
      id,
      kind,
      created_at: createdAt.toISOString(),
      attempts,
      due_at: dueAt?.toISOString() ?? null,
      state: dueAt === null ? 'dead' : 'waiting',
      last_error: lastError,
      waits_for: waitsFor,
      waits_until: waitsUntil?.toISOString() ?? null,
    }),
  );
  if (isJson) return console.log(JSON.stringify(rows, null, 2));
  const { printTable } = await import('./terminal/table.ts');
  printTable([
    ['id', 'kind', 'created', 'attempts', 'state', 'until', 'last error', 'why it waits'],
    ...rows.map((row) => [
      row.id,
      row.kind,
      row.created_at,
      String(row.attempts),
      row.state,
      row.waits_until ?? '',
      row.last_error ?? '',
      row.waits_for === null ? '' : waitTexts[row.waits_for],
    ]),
  ]);
}

async function retry(config: Config, id: string | undefined, isJson: boolean): Promise<void> {
  await using opened = await open(config);
  const retried = await opened.store.retryDeadLetters(opened.clock.now(), id);
  if (id !== undefined && retried === 0)
    throw new Error(`No dead letter has the id ${id}. To list them: ${toCommandLine('outbox', 'list')}`);
  if (isJson) console.log(JSON.stringify({ retried }));
  console.error(`Dead letters to be sent again: ${retried}.`);
}

async function open(config: Config) {
  const { mailsPerHourOf } = await import('../adapters/store/outbox/mail-budget.ts');
  return openState(config, { mailsPerHour: mailsPerHourOf(config.limits) });
}
