import { join } from 'node:path';
import type { Command } from 'commander';
import { toEmailAddress } from '../model/email-address.ts';
import { toVisible } from '../model/visible-text.ts';
import type { Contact } from '../operations/ports.ts';
import type { Config } from '../service/config.ts';
import { openState } from './open-state.ts';

interface Options {
  readonly email?: string;
  readonly json?: boolean;
}

/** Adds `contacts list`, `contacts export` and `contacts erase`. */
export function addContactsTo(program: Command, configOf: () => Config): void {
  const contacts = program.command('contacts').description('what visitors have written, and how to erase a visitor');
  contacts
    .command('list')
    .description('list the contact requests, the latest first')
    .option('--email <address>', 'those of one visitor')
    .option('--json', 'print JSON, with the whole messages')
    .action(({ email, json = false }: Options, command: Command) => list(configOf(), readEmail(command, email), json));
  contacts
    .command('export')
    .description('print all that is kept of the contact requests, as JSON')
    .option('--email <address>', 'those of one visitor')
    .option('--json', 'print JSON, as it does anyway')
    .action(({ email }: Options, command: Command) => exportAll(configOf(), readEmail(command, email)));
  contacts
    .command('erase')
    .description('erase all that is kept of a visitor, and end their tokens')
    .requiredOption('--email <address>', 'the address of the visitor')
    .option('--json', 'print as JSON how much was erased')
    .action(({ email, json = false }: Options, command: Command) =>
      erase(configOf(), readEmail(command, email)!, json),
    );
}

function readEmail(command: Command, email: string | undefined): string | undefined {
  if (email === undefined) return undefined;
  return toEmailAddress(email) ?? command.error('error: --email must be a valid email address');
}

async function list(config: Config, email: string | undefined, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const contacts = await opened.store.listContacts(email);
  if (isJson) return console.log(toJson(contacts));
  const rows = contacts.map((contact) => [
    contact.receivedAt.toISOString(),
    ...[contact.email, `${contact.name} (${contact.company})`, firstLineOf(contact.message)].map(toVisible),
  ]);
  const { printTable } = await import('./terminal/table.ts');
  printTable([['received', 'e-mail', 'name (company)', 'message'], ...(rows as string[][])]);
}

async function exportAll(config: Config, email: string | undefined): Promise<void> {
  await using opened = await openState(config);
  const contacts = await opened.store.listContacts(email);
  console.log(toJson(contacts));
  opened.auditLog.note({
    event: 'contacts_exported',
    detail: String(contacts.length),
    ...(email && { subject: email }),
  });
}

async function erase(config: Config, email: string, isJson: boolean): Promise<void> {
  const { removeMailFiles } = await import('../adapters/mail/mail.ts');
  await using opened = await openState(config);
  // First of all: from then on nothing is added with a token the visitor still has.
  await opened.tokens.revoke({ kind: 'subject', subject: email });
  const { mails, ...erased } = await opened.store.eraseVisitor(email);
  const mailFiles = { directory: join(config.dataDir, 'mail'), gone: { ids: mails } };
  const files = await removeMailFiles(mailFiles.directory, mailFiles.gone);
  opened.auditLog.note({ event: 'visitor_erased', subject: email });
  await opened.store.scrub();
  // One that was being written meanwhile.
  await removeMailFiles(mailFiles.directory, mailFiles.gone);
  if (isJson) console.log(JSON.stringify({ ...erased, files }));
  console.error(
    `Erased: contact requests ${erased.contacts}, tokens ${erased.tokens}, mail files ${files}. Their tokens have ended. Backups made before, and e-mails that were sent, still hold what they held.`,
  );
}

const toJson = (contacts: readonly Contact[]): string =>
  JSON.stringify(
    contacts.map(({ receivedAt, ...contact }) => ({ ...contact, received_at: receivedAt.toISOString() })),
    null,
    2,
  );

function firstLineOf(message: string): string {
  const [line = ''] = message.trim().split(/\r?\n/);
  const shown = [...line].slice(0, 60).join(''); // whole characters
  return shown === message.trim() ? shown : `${shown}…`;
}
