import { join } from 'node:path';
import type { Command } from 'commander';
import { firstLineOf } from '../model/contact.ts';
import { toCanonicalAddress, toEmailAddress } from '../model/email-address.ts';
import { pluralize } from '../model/pluralize.ts';
import { toVisible } from '../model/visible-text.ts';
import { toRecord } from '../operations/contact-record.ts';
import type { Config } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { toText } from './contact-text.ts';
import { openState } from './open-state.ts';
import { confirm } from './terminal/confirm.ts';
import { withProgress } from './terminal/progress.ts';
import { addListNoteTo, idByStart } from './terminal/short-ids.ts';

interface Options {
  readonly email?: string;
  readonly everything?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Adds `contacts list`, `contacts show`, `contacts export` and `contacts erase`. */
export function addContactsTo(program: Command, configOf: () => Config): void {
  const contacts = program.command('contacts').description('read what visitors have written, and erase a visitor');
  addListNoteTo(contacts.command('list'))
    .description('list the contact requests, the latest first')
    .option('--email <address>', 'only those of one visitor')
    .option('--json', 'print JSON, with the whole messages')
    .action(({ email, json = false }: Options, command: Command) => list(configOf(), readEmail(command, email), json));
  contacts
    .command('show')
    .description('print one contact request with its whole message')
    .argument('<id>', 'its id or the start of it, as the list on a terminal and the notice show it')
    .option('--json', 'print JSON')
    .action((id: string, { json = false }: Options, command: Command) =>
      id.trim() === '' ? command.error('error: the id must not be empty') : show(configOf(), id, json),
    );
  contacts
    .command('export')
    .description('print every contact request with all its data as JSON')
    .option('--email <address>', 'only those of one visitor')
    .option('--everything', 'with --email: all that is kept of the visitor, what they read and your note included')
    .option('--json', 'print JSON, which is the only format')
    .action(({ email, everything }: Options, command: Command) => {
      const visitor = readEmail(command, email);
      if (!everything) return exportContacts(configOf(), visitor);
      return exportVisitor(configOf(), visitor ?? command.error('error: --everything needs --email'));
    });
  contacts
    .command('erase')
    .description('erase all data of a visitor, and end their tokens and grants; asks first on a terminal')
    .requiredOption('--email <address>', 'the address of the visitor')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how much was erased')
    .action(({ email, ...options }: Options, command: Command) =>
      erase(configOf(), readEmail(command, email)!, options),
    );
}

function readEmail(command: Command, email: string | undefined): string | undefined {
  if (email === undefined) return undefined;
  return toEmailAddress(email) ?? command.error('error: --email must be a valid email address');
}

async function list(config: Config, email: string | undefined, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const contacts = await opened.store.contacts.list(email);
  if (isJson) return printJson(contacts.map(toRecord));
  const { printTable } = await import('./terminal/table.ts');
  // `show` looks among the contact requests of all visitors.
  const isPart = email !== undefined && process.stdout.isTTY;
  const ids = isPart ? (await opened.store.contacts.list()).map(({ id }) => id) : undefined;
  printTable(
    contacts,
    [
      // The columns that scripts read stay where they are.
      { heading: 'id', kind: 'id', cell: ({ id }) => id, shownIn: 'terminal' },
      { heading: 'received', kind: 'time', cell: ({ receivedAt }) => receivedAt.toISOString() },
      { heading: 'e-mail', kind: 'whole', cell: (contact) => toVisible(contact.email) },
      { heading: 'name (company)', kind: 'text', cell: ({ name, company }) => toVisible(`${name} (${company})`) },
      { heading: 'message', kind: 'text', cell: ({ message }) => toVisible(firstLineOf(message, 60)) },
      { heading: 'state', kind: 'whole', cell: ({ state }) => state },
    ],
    ids,
  );
}

async function show(config: Config, id: string, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const found = await opened.store.contacts.listByIdPrefix(id);
  const whole = idByStart(
    id,
    found.map((each) => each.id),
    'contact request',
  );
  const contact = found.find((each) => each.id === whole);
  if (contact === undefined)
    throw new Error(
      `No contact request has the id ${id}. To list the ids: ${toCommandLine('contacts', 'list', '--json')}`,
    );
  if (isJson) printJson(toRecord(contact));
  else console.log(toText(contact));
}

async function exportContacts(config: Config, email: string | undefined): Promise<void> {
  await using opened = await openState(config);
  const contacts = await opened.store.contacts.list(email);
  printJson(contacts.map(toRecord));
  opened.auditLog.append({
    event: 'contacts_exported',
    detail: String(contacts.length),
    ...(email && { subject: email }),
  });
}

/** Prints what is kept of a visitor, in any spelling of the address, except what repeats it: notices and idempotency keys. */
async function exportVisitor(config: Config, email: string): Promise<void> {
  await using opened = await openState(config);
  const contacts = await opened.store.contacts.list(email);
  printJson({ contacts: contacts.map(toRecord), ...(await opened.store.visitors.traces(email)) });
  opened.auditLog.append({ event: 'contacts_exported', detail: String(contacts.length), subject: email });
}

async function erase(config: Config, email: string, { json: isJson = false, yes }: Options): Promise<void> {
  const { eraserOf } = await import('../service/owner/eraser.ts');
  await using opened = await openState(config);
  const { store, clock, tokens, auditLog } = opened;
  const scrub = () => withProgress('Rewriting the database', store.scrub);
  const audit = auditLog.append;
  const eraser = eraserOf({ store: { ...store, scrub }, tokens, audit, mailDirectory: join(config.dataDir, 'mail') });
  await confirm(async () => {
    const address = toCanonicalAddress(email);
    const contacts = await store.contacts.list(email);
    const unexpired = await store.tokens.listUnexpired(clock.now());
    const issued = unexpired.filter(({ subject }) => toCanonicalAddress(subject) === address);
    const { reads, grants, notes } = await store.visitors.traces(email);
    if (contacts.length + issued.length + reads.length + grants.length + notes.length === 0) return null;
    const counts = new Intl.ListFormat('en-GB').format([
      pluralize(contacts.length, 'contact request'),
      pluralize(issued.length, 'token'),
      ...(grants.length === 0 ? [] : [pluralize(grants.length, 'grant')]),
      pluralize(reads.length, 'read'),
      ...(notes.length === 0 ? [] : ['your note']),
    ]);
    return `This erases ${counts} of ${toVisible(email)}, with their notices and mail files, from ${config.database.name}. It cannot be undone.`;
  }, yes);

  const erased = await eraser.eraseVisitor(email);
  if (isJson) console.log(JSON.stringify(erased));
  console.error(
    Object.values(erased).every((count) => count === 0)
      ? `Nothing of ${toVisible(email)} was found. To list the addresses:\n  ${toCommandLine('contacts', 'list')}\n  ${toCommandLine('tokens', 'list')}`
      : `Erased: contact requests ${erased.contacts}, tokens ${erased.tokens}, grants ${erased.grants}, reads ${erased.reads}, ${erased.notes === 0 ? '' : `notes ${erased.notes}, `}mail files ${erased.files}. Their tokens have ended. Backups made before, and e-mails that were sent, still hold what they held.`,
  );
}

const printJson = (data: unknown): void => console.log(JSON.stringify(data, null, 2));
