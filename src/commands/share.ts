import type { Command } from 'commander';
import { pluralize, toVisible } from 'resume-profile/text';
import { wholeView } from 'resume-profile/view-fields';
import { isOpen, linkNameFault } from '../model/link.ts';
import { endLink, listLinks, makeLink, renameLink } from '../operations/owner/links.ts';
import type { OutputOf } from '../operations/owner/operation.ts';
import { Duration } from '../service/config/settings.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printList } from './list.ts';
import { confirm, type Io, idByStart } from './terminal.ts';

interface ShareOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
}

interface NewOptions extends ShareOptions {
  readonly view: string;
  readonly for: string;
  readonly write: boolean;
}

export function addShareTo(program: Command, io: Io): void {
  const share = program
    .command('share')
    .description('make links that open the profile without asking for an address, and end them');
  share
    .command('new')
    .description('make a link, and print its address')
    .argument('<name>', 'whom or what it is for; only you see this')
    .option('--view <name>', 'what it shows: all, public, or the name of a view of the profile', wholeView)
    .option('--for <duration>', 'how long it works, such as 60d, or never if it does not end', '60d')
    .option('--no-write', 'who opens it can neither write to you nor connect an assistant')
    .option('--json', 'print the link as JSON')
    .action((name: string, options: NewOptions, command: Command) =>
      make(io, readName(name, command), untilOf(options.for, command), options),
    );
  addListTo(
    share.command('list').description('list the links, also those that ended within 90 days, the latest first'),
    ({ json }) => list(io, json),
  );
  share
    .command('end')
    .description('end a link with all that was opened through it; asks first on a terminal')
    .argument('<id>', 'its id or the start of it, as the list shows it')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON which one has ended')
    .action((id: string, options: ShareOptions) => end(io, id, options));
  share
    .command('rename')
    .description('give a link another name; its address stays the same')
    .argument('<id>', 'its id or the start of it, as the list shows it')
    .argument('<name>', 'the new name')
    .option('--json', 'print as JSON what it is called')
    .action((id: string, name: string, options: ShareOptions, command: Command) =>
      rename(io, id, readName(name, command), options),
    );
}

function readName(name: string, command: Command): string {
  const fault = linkNameFault(name);
  return fault === null ? name : command.error(`error: the name ${fault}`);
}

function untilOf(text: string, command: Command): Date | null {
  if (text === 'never') return null;
  const { data: seconds } = Duration.safeParse(text);
  if (seconds === undefined) command.error('error: --for must be a duration such as 60d or 12h, or never');
  return new Date(Date.now() + seconds! * 1_000);
}

type Listed = OutputOf<typeof listLinks>[number];

const toRecord = ({ link, address }: Pick<Listed, 'link' | 'address'>) => ({
  id: link.id,
  name: link.name,
  view: link.view,
  url: address,
  until: link.until?.toISOString() ?? null,
  may_write: link.mayWrite,
  made_at: link.madeAt.toISOString(),
  opened_at: link.openedAt?.toISOString() ?? null,
  ended_at: link.endedAt?.toISOString() ?? null,
});

async function make(io: Io, name: string, until: Date | null, options: NewOptions): Promise<void> {
  await using owner = await openOwner(io);
  const made = await owner.run(makeLink, { name, view: options.view, until, may_write: options.write });
  io.console.log(options.json ? JSON.stringify(toRecord(made), null, 2) : made.address);
  const ends = until === null ? 'does not end' : `works until ${until.toISOString()}`;
  io.console.error(
    `The link for ${toVisible(made.link.name)} ${ends}. To end it: ${toCommandLine('share', 'end', made.link.id)}`,
  );
}

async function list(io: Io, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const rows = (await owner.run(listLinks, {})).map(({ people, pdfs, messages, lastAt, ...listed }) => ({
    ...toRecord(listed),
    people,
    pdfs,
    messages,
    last_at: lastAt?.toISOString() ?? null,
  }));
  await printList(io, rows, { isJson }, [
    ['id', 'id', 'id'],
    ['for', 'text', 'name'],
    ['shows', 'whole', 'view'],
    ['until', 'time', ({ until, ended_at }) => (ended_at === null ? (until ?? 'never') : 'ended'), 'terminal'],
    ['until', 'time', ({ until }) => until ?? 'never', 'pipe'],
    ['ended', 'time', ({ ended_at }) => ended_at ?? '-', 'pipe'],
    ['people', 'whole', ({ people }) => String(people)],
    ['last', 'time', ({ last_at }) => last_at ?? '-'],
    ['address', 'whole', ({ url }) => url ?? '-', 'pipe'],
  ]);
}

/** Finds a link by its id or the start of it. Throws a one-line error unless exactly one matches. */
export async function linkOf({ run }: Awaited<ReturnType<typeof openOwner>>, id: string): Promise<Listed> {
  const links = await run(listLinks, {});
  const whole = idByStart(
    id,
    links.map(({ link }) => link.id),
    'link',
  );
  const listed = links.find(({ link }) => link.id === whole);
  if (listed === undefined)
    throw new Error(`No link has the id ${id}. To list the ids: ${toCommandLine('share', 'list')}`);
  return listed;
}

async function end(io: Io, id: string, { yes, json: isJson = false }: ShareOptions): Promise<void> {
  await using owner = await openOwner(io);
  const { link, people } = await linkOf(owner, id);
  const name = toVisible(link.name);
  const opened = people === 0 ? '' : `, and the access of ${pluralize(people, 'browser')} that opened it`;
  if (isOpen(link, new Date()))
    await confirm(io, () => `This ends the link for ${name}${opened}. It cannot be undone.`, yes);
  await owner.run(endLink, { id: link.id });
  if (isJson) io.console.log(JSON.stringify({ id: link.id, name: link.name }));
  io.console.error(
    `The link for ${name} has ended; a running service refuses what was opened through it within 2 seconds.`,
  );
}

async function rename(io: Io, id: string, name: string, { json: isJson = false }: ShareOptions): Promise<void> {
  await using owner = await openOwner(io);
  const { link } = await linkOf(owner, id);
  await owner.run(renameLink, { id: link.id, name });
  if (isJson) io.console.log(JSON.stringify({ id: link.id, name }));
  io.console.error(`The link for ${toVisible(link.name)} is called ${toVisible(name)} now.`);
}
