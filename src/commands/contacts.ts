import type { Command } from 'commander';
import { firstLineOf, type StoredContact } from '../model/contact.ts';
import { toEmailAddress } from '../model/email-address.ts';
import { Failure } from '../model/failure.ts';
import { pluralize, toVisible } from '../model/text.ts';
import { type AddressVisitor, byAddress, toVisitorText } from '../model/visitor.ts';
import { exportContacts, listContacts, replyToContact, toRecord } from '../operations/owner/contacts.ts';
import { countVisitor, eraseVisitor, exportVisitor } from '../operations/owner/visitors.ts';
import type { Config } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printJson, printList } from './list.ts';
import { confirm, idByStart } from './terminal.ts';

interface Options {
  readonly email?: string;
  readonly everything?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Adds `contacts list`, `contacts show`, `contacts reply`, `contacts export` and `contacts erase`. */
export function addContactsTo(program: Command, configOf: () => Config): void {
  const contacts = program.command('contacts').description('read what visitors have written, and erase a visitor');
  const listed = contacts
    .command('list')
    .description('list the contact requests, the latest first')
    .option('--email <address>', 'only those of one visitor');
  addListTo(
    listed,
    ({ email, json }, command) => list(configOf(), readVisitorOption(command, email), json),
    'print JSON, with the whole messages',
  );
  contacts
    .command('show')
    .description('print one contact request with its whole message')
    .argument('<id>', 'its id or the start of it, as the list on a terminal and the notice show it')
    .option('--json', 'print JSON')
    .action((id: string, { json = false }: Options, command: Command) =>
      id.trim() === '' ? command.error('error: the id must not be empty') : show(configOf(), id, json),
    );
  contacts
    .command('reply')
    .description('mail a reply to the sender of a contact request, and keep it there; reads it from standard input')
    .argument('<id>', 'its id or the start of it, as the list on a terminal and the notice show it')
    .option('--json', 'print as JSON where the reply goes')
    .action((id: string, { json = false }: Options, command: Command) =>
      id.trim() === '' ? command.error('error: the id must not be empty') : reply(configOf(), id, json),
    );
  contacts
    .command('export')
    .description('print every contact request with all its data as JSON')
    .option('--email <address>', 'only those of one visitor')
    .option('--everything', 'with --email: all that is kept of the visitor, what they read and your note included')
    .option('--json', 'print JSON, which is the only format')
    .action(({ email, everything }: Options, command: Command) => {
      const visitor = readVisitorOption(command, email);
      if (everything && visitor === undefined) command.error('error: --everything needs --email');
      return printExport(configOf(), visitor, everything);
    });
  contacts
    .command('erase')
    .description('erase all data of a visitor, and end their tokens and grants; asks first on a terminal')
    .requiredOption('--email <address>', 'the address of the visitor')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how much was erased')
    .action(({ email, ...options }: Options, command: Command) =>
      erase(configOf(), readVisitorOption(command, email)!, options),
    );
}

function readVisitorOption(command: Command, email: string | undefined): AddressVisitor | undefined {
  if (email === undefined) return undefined;
  return byAddress(toEmailAddress(email) ?? command.error('error: --email must be a valid email address'));
}

async function list(config: Config, visitor: AddressVisitor | undefined, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(config);
  const contacts = await owner.run(listContacts, { visitor });
  // `show` looks among the contact requests of all visitors.
  const isPart = visitor !== undefined && process.stdout.isTTY && !isJson;
  const ids = isPart ? (await owner.run(listContacts, {})).map(({ id }) => id) : undefined;
  await printList(contacts.map(toRecord), { isJson, ids }, [
    // The columns that scripts read stay where they are.
    ['id', 'id', 'id', 'terminal'],
    ['received', 'time', 'received_at'],
    ['e-mail', 'whole', 'email'],
    ['name (company)', 'text', ({ name, company }) => `${name} (${company})`],
    ['message', 'text', ({ message }) => firstLineOf(message, 60)],
    ['state', 'whole', 'state'],
  ]);
}

async function show(config: Config, id: string, isJson: boolean): Promise<void> {
  await using owner = await openOwner(config);
  const contact = await contactOf(owner, id);
  if (isJson) printJson(toRecord(contact));
  else console.log(toText(contact));
}

async function reply(config: Config, id: string, isJson: boolean): Promise<void> {
  await using owner = await openOwner(config);
  const contact = await contactOf(owner, id);
  if (config.smtpUrl === undefined)
    throw new Error(
      `Replies are sent by a mail server, and SMTP_URL is not set. Write to ${toVisible(contact.email)} with your mail program.`,
    );
  if (process.stdin.isTTY)
    console.error(`Write your reply to ${toVisible(contact.email)}, and end it with Ctrl-D on a line of its own:`);
  const { text } = await import('node:stream/consumers');
  const written = await text(process.stdin);
  const { address } = await owner
    .run(replyToContact, { id: contact.id, reply: written, key: crypto.randomUUID() })
    .catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'BAD_REQUEST')
        throw new Error(`Nothing was sent: the ${error.message}`);
      throw error;
    });
  if (isJson) console.log(JSON.stringify({ address }));
  console.error(`Your reply to ${toVisible(address)} is stored. A running service sends it within 10 seconds.`);
}

/** Finds a contact request by its id or the start of it. Throws an error of one line unless exactly one has it. */
async function contactOf(owner: Awaited<ReturnType<typeof openOwner>>, id: string): Promise<StoredContact> {
  const found = await owner.run(listContacts, { id_prefix: id });
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
  return contact;
}

/** Returns a whole contact request as text for a person; what hides or turns text is escaped. */
function toText({ id, receivedAt, name, email, company, subject, state, message }: StoredContact): string {
  return toVisible(
    [
      `Request:   ${id}`,
      `Received:  ${receivedAt.toISOString()}`,
      `State:     ${state}`,
      `Name:      ${name}`,
      `E-mail:    ${email}`,
      `Company:   ${company}`,
      `Token:     ${subject === null ? 'none, sent from your own machine' : `issued to ${toVisitorText(subject)}`}`,
      '',
      message.replaceAll('\r\n', '\n'),
    ].join('\n'),
  );
}

async function printExport(config: Config, visitor: AddressVisitor | undefined, isEverything = false): Promise<void> {
  await using owner = await openOwner(config);
  printJson(
    await (isEverything ? owner.run(exportVisitor, { visitor: visitor! }) : owner.run(exportContacts, { visitor })),
  );
}

async function erase(config: Config, visitor: AddressVisitor, { json: isJson = false, yes }: Options): Promise<void> {
  await using owner = await openOwner(config);
  await confirm(async () => {
    const { contacts, tokens, grants, reads, notes } = await owner.run(countVisitor, { visitor });
    if (contacts + tokens + reads + grants + notes === 0) return null;
    const counts = new Intl.ListFormat('en-GB').format([
      pluralize(contacts, 'contact request'),
      pluralize(tokens, 'token'),
      ...(grants === 0 ? [] : [pluralize(grants, 'grant')]),
      pluralize(reads, 'read'),
      ...(notes === 0 ? [] : ['your note']),
    ]);
    return `This erases ${counts} of ${toVisible(visitor.address)}, with their notices and mail files, from ${config.database.name}. It cannot be undone.`;
  }, yes);

  const { left, ...erased } = await owner.run(eraseVisitor, { visitor });
  if (left !== null) throw new Error(left);
  if (isJson) console.log(JSON.stringify(erased));
  console.error(
    Object.values(erased).every((count) => count === 0)
      ? `Nothing of ${toVisible(visitor.address)} was found. To list the addresses:\n  ${toCommandLine('contacts', 'list')}\n  ${toCommandLine('tokens', 'list')}`
      : `Erased: contact requests ${erased.contacts}, tokens ${erased.tokens}, grants ${erased.grants}, reads ${erased.reads}, ${erased.notes === 0 ? '' : `notes ${erased.notes}, `}mail files ${erased.files}. Their tokens have ended. Backups made before, and e-mails that were sent, still hold what they held.`,
  );
}
