import type { Command } from 'commander';
import { toEmailAddress } from 'resume-profile/email-address';
import { pluralize, toVisible } from 'resume-profile/text';
import { excerptOf, type StoredContact } from '../model/contact.ts';
import { Failure } from '../model/failure.ts';
import { byAddress, toOwnersText, type Visitor } from '../model/visitor.ts';
import { exportContacts, listContacts, replyToContact, toRecord } from '../operations/owner/contacts.ts';
import { countVisitor, eraseVisitor, exportVisitor } from '../operations/owner/visitors.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printJson, printList } from './list.ts';
import { linkOf } from './share.ts';
import { confirm, type Io, idByStart } from './terminal.ts';

interface ContactsOptions extends Named {
  readonly everything?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

interface Named {
  readonly email?: string;
  readonly link?: string;
}

export function addContactsTo(program: Command, io: Io): void {
  const contacts = program.command('contacts').description('read what visitors have written, and erase a visitor');
  addListTo(
    addNamedTo(contacts.command('list').description('list the contact requests, the latest first')),
    ({ json, ...named }, command) => list(io, readNamed(named, command), json),
    'print JSON, with the whole messages',
  );
  for (const [name, description, json, run] of [
    ['show', 'print one contact request with its whole message', 'print JSON', show],
    [
      'reply',
      'mail a reply to the sender of a contact request, and keep it there; reads it from standard input',
      'print as JSON where the reply goes',
      reply,
    ],
  ] as const)
    contacts
      .command(name)
      .description(description)
      .argument('<id>', 'its id or the start of it, as the list on a terminal and the notice show it')
      .option('--json', json)
      .action((id: string, { json: isJson = false }: ContactsOptions, command: Command) =>
        id.trim() === '' ? command.error('error: the id must not be empty') : run(io, id, isJson),
      );
  addNamedTo(contacts.command('export').description('print every contact request with all its data as JSON'))
    .option('--everything', 'with --email or --link: all that is kept, what was read and your note included')
    .option('--json', 'print JSON, which is the only format')
    .action(({ everything, ...options }: ContactsOptions, command: Command) => {
      const named = readNamed(options, command);
      if (everything && named === undefined) command.error('error: --everything needs --email or --link');
      return printExport(io, named, everything);
    });
  contacts
    .command('erase')
    .description('erase all data of a visitor, and end their tokens and grants; asks first on a terminal')
    .option('--email <address>', 'the address of the visitor')
    .option('--link <id>', 'in place of it, all that came through one link, by its id or the start of it')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how much was erased')
    .action((options: ContactsOptions, command: Command) => {
      const named = readNamed(options, command) ?? command.error('error: give one of --email and --link');
      return erase(io, named, options);
    });
}

const addNamedTo = (command: Command): Command =>
  command
    .option('--email <address>', 'only those of one visitor')
    .option('--link <id>', 'only those that came through one link, by its id or the start of it');

function readNamed({ email, link }: Named, command: Command): Named | undefined {
  if (email !== undefined && link !== undefined) command.error('error: give one of --email and --link');
  if (link !== undefined) return { link };
  if (email === undefined) return undefined;
  return { email: toEmailAddress(email) ?? command.error('error: --email must be a valid email address') };
}

type Owner = Awaited<ReturnType<typeof openOwner>>;

const isLinkId = (text: string): boolean => /^[0-9a-f]{12}$/.test(text);

/** Returns the visitor that options name, and a name to print. Throws a one-line error if no link has the id. */
async function visitorOf({ email, link: id }: Named, owner: Owner): Promise<{ visitor: Visitor; name: string }> {
  if (id === undefined) return { visitor: byAddress(email!), name: toVisible(email!) };
  // A link is listed for 90 days after its end, and messages may be kept for longer.
  if (isLinkId(id)) return { visitor: { kind: 'link', id }, name: `the link ${id}` };
  const { link } = await linkOf(owner, id);
  return { visitor: { kind: 'link', id: link.id }, name: `the link for ${toVisible(link.name)}` };
}

async function list(io: Io, named: Named | undefined, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const { visitor } = named === undefined ? {} : await visitorOf(named, owner);
  const contacts = await owner.run(listContacts, { visitor });
  // `show` searches the contact requests of all visitors.
  const isPart = visitor !== undefined && io.stdout.isTTY && !isJson;
  const ids = isPart ? (await owner.run(listContacts, {})).map(({ id }) => id) : undefined;
  await printList(io, contacts.map(toRecord), { isJson, ids }, [
    // The columns for scripts keep their positions.
    ['id', 'id', 'id', 'terminal'],
    ['received', 'time', 'received_at'],
    ['e-mail', 'whole', 'email'],
    ['name (company)', 'text', ({ name, company }) => `${name} (${company})`],
    ['message', 'text', ({ message }) => excerptOf(message, 60)],
    ['state', 'whole', 'state'],
  ]);
}

async function show(io: Io, id: string, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const contact = await contactOf(owner, id);
  if (isJson) printJson(io, toRecord(contact));
  else io.console.log(toText(contact));
}

async function reply(io: Io, id: string, isJson: boolean): Promise<void> {
  const config = io.configOf();
  await using owner = await openOwner(io, config);
  const contact = await contactOf(owner, id);
  if (config.smtpUrl === undefined)
    throw new Error(
      `Replies are sent by a mail server, and SMTP_URL is not set. Write to ${toVisible(contact.email)} with your mail program.`,
    );
  if (io.stdin.isTTY)
    io.console.error(`Write your reply to ${toVisible(contact.email)}, and end it with Ctrl-D on a line of its own:`);
  const { text } = await import('node:stream/consumers');
  const written = await text(io.stdin);
  const { address } = await owner
    .run(replyToContact, { id: contact.id, reply: written, key: crypto.randomUUID() })
    .catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'BAD_REQUEST')
        throw new Error(`Nothing was sent: the ${error.message}`);
      throw error;
    });
  if (isJson) io.console.log(JSON.stringify({ address }));
  io.console.error(`Your reply to ${toVisible(address)} is stored. A running service sends it within 10 seconds.`);
}

/** Finds a contact request by its id or the start of it. Throws a one-line error unless exactly one matches. */
async function contactOf(owner: Owner, id: string): Promise<StoredContact> {
  const contacts = await owner.run(listContacts, { id_prefix: id });
  const ids = contacts.map((each) => each.id);
  const whole = idByStart(id, ids, 'contact request');
  const contact = contacts.find((each) => each.id === whole);
  if (contact === undefined)
    throw new Error(
      `No contact request has the id ${id}. To list the ids: ${toCommandLine('contacts', 'list', '--json')}`,
    );
  return contact;
}

/** Returns a whole contact request as text for a person; escapes characters that hide text or change its direction. */
function toText({ id, receivedAt, name, email, company, subject, state, message }: StoredContact): string {
  return toVisible(
    [
      `Request:   ${id}`,
      `Received:  ${receivedAt.toISOString()}`,
      `State:     ${state}`,
      `Name:      ${name}`,
      `E-mail:    ${email}`,
      `Company:   ${company}`,
      `Token:     ${subject === null ? 'none, sent from your own machine' : `issued to ${toOwnersText(subject)}`}`,
      '',
      message.replaceAll('\r\n', '\n'),
    ].join('\n'),
  );
}

async function printExport(io: Io, named: Named | undefined, isEverything = false): Promise<void> {
  await using owner = await openOwner(io);
  const { visitor } = named === undefined ? {} : await visitorOf(named, owner);
  printJson(
    io,
    await (isEverything ? owner.run(exportVisitor, { visitor: visitor! }) : owner.run(exportContacts, { visitor })),
  );
}

async function erase(io: Io, named: Named, { json: isJson = false, yes }: ContactsOptions): Promise<void> {
  const config = io.configOf();
  await using owner = await openOwner(io, config);
  const { visitor, name } = await visitorOf(named, owner);
  await confirm(
    io,
    async () => {
      const { contacts, tokens, grants, reads, notes } = await owner.run(countVisitor, { visitor });
      if (contacts + tokens + reads + grants + notes === 0) return null;
      const counts = new Intl.ListFormat('en-GB').format([
        pluralize(contacts, 'contact request'),
        pluralize(tokens, 'token'),
        ...(grants === 0 ? [] : [pluralize(grants, 'grant')]),
        pluralize(reads, 'read'),
        ...(notes === 0 ? [] : ['your note']),
      ]);
      return `This erases ${counts} of ${name}, with their notices and mail files, from ${config.database.name}. It cannot be undone.`;
    },
    yes,
  );

  const { left, ...erased } = await owner.run(eraseVisitor, { visitor });
  if (left !== null) throw new Error(left);
  if (isJson) io.console.log(JSON.stringify(erased));
  io.console.error(
    Object.values(erased).every((count) => count === 0)
      ? `Nothing of ${name} was found. To list the addresses:\n  ${toCommandLine('contacts', 'list')}\n  ${toCommandLine('tokens', 'list')}`
      : `Erased: contact requests ${erased.contacts}, tokens ${erased.tokens}, grants ${erased.grants}, reads ${erased.reads}, ${erased.notes === 0 ? '' : `notes ${erased.notes}, `}mail files ${erased.files}. Their tokens have ended. Backups made before, and e-mails that were sent, still hold what they held.`,
  );
}
