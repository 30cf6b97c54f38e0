import type { Command } from 'commander';
import type { WaitReason } from '../model/notice.ts';
import { listUnsent, retryMail } from '../operations/owner/mail.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printList } from './list.ts';
import { type Io, idByStart } from './terminal.ts';

/** The reasons why a notice waits, for scripts and in the short form for a terminal. */
const waitTexts: Record<WaitReason, { readonly full: string; readonly short: string }> = {
  being_sent: { full: 'it is being sent', short: 'is being sent' },
  retry: { full: 'it is tried again after a failure', short: 'is tried again' },
  hour_used_up: { full: 'the mails of this hour are used up', short: 'hour is used up' },
  daily_mail: { full: 'it is sent with the daily e-mail', short: 'daily e-mail' },
  due: { full: 'a running service sends it next', short: 'is sent next' },
};

export function addOutboxTo(program: Command, io: Io): void {
  const outbox = program
    .command('outbox')
    .description('list the notices that have not reached you yet, and retry them');
  const listed = outbox
    .command('list')
    .description('list the dead letters, and the notices that wait: why and until when');
  addListTo(listed, ({ json }) => list(io, json));
  outbox
    .command('retry')
    .description('queue dead letters again; a running service sends them within 10 seconds')
    .option('--id <id>', 'only the one with this id or start of one, as the list shows it')
    .option('--json', 'print as JSON how many were queued')
    .action(({ id, json = false }: { id?: string; json?: boolean }) => retry(io, id, json));
}

async function list(io: Io, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const rows = (await owner.run(listUnsent, {})).map(
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
  await printList(io, rows, { isJson }, [
    ['id', 'id', 'id'],
    ['kind', 'whole', 'kind'],
    ['created', 'time', 'created_at'],
    ['tries', 'whole', 'attempts', 'terminal'],
    ['attempts', 'whole', 'attempts', 'pipe'],
    ['state', 'whole', 'state', 'pipe'],
    ['until', 'time', 'waits_until'],
    ['why', 'text', (row) => [shortReason(row.waits_for), row.last_error ?? []].flat().join(': '), 'terminal'],
    ['last error', 'text', 'last_error', 'pipe'],
    ['why it waits', 'text', ({ waits_for }) => (waits_for === null ? '' : waitTexts[waits_for].full), 'pipe'],
  ]);
}

const shortReason = (waitsFor: WaitReason | null): string =>
  waitsFor === null ? 'given up' : waitTexts[waitsFor].short;

async function retry(io: Io, id: string | undefined, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const dead = (await owner.run(listUnsent, {})).filter(({ dueAt }) => dueAt === null).map((each) => each.id);
  const whole = id === undefined ? undefined : (idByStart(id, dead, 'dead letter') ?? id);
  const { retried } = await owner.run(retryMail, { id: whole });
  if (id !== undefined && retried === 0)
    throw new Error(`No dead letter has the id ${id}. To list them: ${toCommandLine('outbox', 'list')}`);
  if (isJson) io.console.log(JSON.stringify({ retried }));
  io.console.error(`Dead letters to be sent again: ${retried}.`);
}
