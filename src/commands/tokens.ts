import type { Command } from 'commander';
import { toEmailAddress } from 'resume-profile/email-address';
import { pluralize, toVisible } from 'resume-profile/text';
import { publicView, wholeView } from 'resume-profile/view-fields';
import type { z } from 'zod';
import { byAddress, toOwnersText } from '../model/visitor.ts';
import type { OutputOf } from '../operations/owner/operation.ts';
import { countEnding, listGrants, listTokens, revoke, setView } from '../operations/owner/tokens.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printList } from './list.ts';
import { confirm, type Io, idByStart } from './terminal.ts';

export function addTokensTo(program: Command, io: Io): void {
  const tokens = program
    .command('tokens')
    .description('list the tokens of visitors and the clients that they connected, and end them');
  addListTo(tokens.command('list').description('list the tokens that have not expired, the latest first'), ({ json }) =>
    printTokens(io, json),
  );
  addListTo(
    tokens
      .command('clients')
      .description('list what visitors have allowed clients that connect by OAuth, the latest first'),
    ({ json }) => printGrants(io, json),
  );
  tokens
    .command('view')
    .description('set the view of the profile that a token reads from its next request on')
    .argument('<jti>', 'the token, by its id or the start of it; of a client, with its other tokens')
    .argument('<name>', 'the view: its name in the profile, all for the whole profile, or public for the public part')
    .option('--json', 'print as JSON what was set')
    .action((jti: string, view: string, { json = false }: { json?: boolean }) => changeView(io, jti, view, json));
  tokens
    .command('revoke')
    .description('end tokens before they expire; a visitor who asks again gets a new one')
    .option('--jti <id>', 'the token with this id or start of one, as the list and the notice show it; with its grant')
    .option(
      '--grant <id>',
      'what a visitor has allowed one client, by its id or the start of it, as the list of clients shows it',
    )
    .option('--email <address>', 'every token issued to this address so far, and what it has allowed clients')
    .option('--all', 'every token issued so far, and what visitors have allowed clients; asks first on a terminal')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how many valid tokens, and how many grants, have ended')
    .action((options: RevokeOptions, command: Command) => {
      const target = readTarget(options, (message) => command.error(`error: ${message}`));
      return endTokens(io, target, options);
    });
}

interface RevokeOptions {
  readonly jti?: string;
  readonly grant?: string;
  readonly email?: string;
  readonly all?: true;
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Target = z.input<typeof revoke.input>;
type Ended = OutputOf<typeof revoke>;

function readTarget({ jti, grant, email, all }: RevokeOptions, refuse: (message: string) => never): Target {
  const named = Object.entries({ jti, grant, email, all }).filter(([, option]) => option !== undefined);
  if (named.length !== 1) refuse('give one of --jti, --grant, --email and --all');
  if (all) return { all };
  if (email !== undefined)
    return { visitor: byAddress(toEmailAddress(email) ?? refuse('--email must be a valid email address')) };
  const [name, id] = named[0] as [string, string];
  return { [name]: id.trim() || refuse(`--${name} must not be empty`) };
}

async function printTokens(io: Io, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const rows = (await owner.run(listTokens, {})).map((token) => ({
    jti: token.jti,
    subject: toOwnersText(token.subject),
    issued_at: token.issuedAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked: token.isRevoked,
    client: token.clientName,
    grant: token.grantId,
    ...(token.view !== null && { view: token.view }),
  }));
  await printList(io, rows, { isJson }, [
    ['jti', 'id', 'jti'],
    ['issued', 'time', 'issued_at'],
    ['expires', 'time', ({ revoked, expires_at }) => (revoked ? 'revoked' : expires_at), 'terminal'],
    ['expires', 'time', 'expires_at', 'pipe'],
    ['revoked', 'whole', 'revoked', 'pipe'],
    ['subject', 'whole', 'subject'],
    ['client', 'text', ({ client }) => client ?? '-'],
    ...(rows.some(({ view }) => view !== undefined) ? [viewColumn] : []),
  ]);
}

const viewColumn: [string, 'text', (row: { readonly view?: string }) => string] = [
  'view',
  'text',
  ({ view }) => view ?? wholeView,
];

async function changeView(io: Io, id: string, view: string, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const { jti = id } = await withWholeId({ jti: id }, owner);
  const set = await owner.run(setView, { jti, view });
  if (isJson) io.console.log(JSON.stringify(set));
  const [which, whose] = set.grant === null ? ['The token reads', 'its'] : ['The tokens of this client read', 'their'];
  const what = view === wholeView ? 'the whole profile' : view === publicView ? 'the public part' : `the view ${view}`;
  io.console.error(`${which} ${what} from ${whose} next request on.`);
}

async function printGrants(io: Io, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const rows = (await owner.run(listGrants, {})).map((grant) => ({
    id: grant.id,
    subject: toOwnersText(grant.subject),
    is_verified: grant.isVerified,
    client: grant.clientName,
    client_id: grant.clientId,
    redirect_uri: grant.redirectUri,
    scope: grant.scopes.join(' '),
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
    ...(grant.view !== null && { view: grant.view }),
  }));
  await printList(io, rows, { isJson }, [
    ['id', 'id', 'id'],
    ['since', 'time', 'created_at', 'pipe'],
    ['until', 'time', 'expires_at'],
    ['may', 'whole', ({ scope }) => (scope.includes('contact:write') ? 'read, write' : 'read'), 'terminal'],
    ['scope', 'text', 'scope', 'pipe'],
    ['verified', 'whole', 'is_verified'],
    ['subject', 'whole', 'subject'],
    ['client', 'text', 'client'],
    ['sends back to', 'text', ({ redirect_uri }) => hostOf(redirect_uri), 'terminal'],
    ['sends back to', 'text', 'redirect_uri', 'pipe'],
    ...(rows.some(({ view }) => view !== undefined) ? [viewColumn] : []),
  ]);
}

/** Returns the host of an address, or its scheme if it has no host, such as `cursor://anysphere`. */
const hostOf = (address: string): string => new URL(address).host || new URL(address).protocol;

async function endTokens(io: Io, named: Target, { yes, json: isJson = false }: RevokeOptions): Promise<void> {
  const config = io.configOf();
  await using owner = await openOwner(io, config);
  const target = await withWholeId(named, owner);
  const due = target.all ? await owner.run(countEnding, target) : null;
  if (due !== null && due.tokens + due.grants > 0)
    await confirm(io, () => `This ends ${countsOf(due)} in ${config.database.name}. It cannot be undone.`, yes);
  const ended = await owner.run(revoke, target);
  if (isJson) io.console.log(JSON.stringify({ ended: ended.tokens, grants: ended.grants }));
  io.console.error(toWords(target, ended));
}

/** Returns a target with the complete id; unchanged if no listed id begins with it. Throws if several do. */
async function withWholeId(target: Target, { run }: Awaited<ReturnType<typeof openOwner>>): Promise<Target> {
  const { jti, grant } = target;
  if (jti !== undefined) {
    const ids = (await run(listTokens, {})).map((token) => token.jti);
    return { jti: idByStart(jti, ids, 'token') ?? jti };
  }
  if (grant === undefined) return target;
  const ids = (await run(listGrants, {})).map(({ id }) => id);
  return { grant: idByStart(grant, ids, 'grant') ?? grant };
}

/** A count such as `2 valid tokens and 1 grant`. */
const countsOf = ({ tokens, grants }: Ended): string =>
  [pluralize(tokens, 'valid token'), ...(grants === 0 ? [] : [pluralize(grants, 'grant')])].join(' and ');

function toWords({ jti, grant, visitor }: Target, ended: Ended): string {
  const isNothing = ended.tokens + ended.grants === 0;
  if (jti !== undefined && isNothing) return 'No valid token with this id is known; the id is revoked anyway.';
  if (grant !== undefined && isNothing)
    return `No grant with this id is valid. To list the ids: ${toCommandLine('tokens', 'clients')}`;
  const subject = visitor === undefined ? '' : ` of ${toVisible(toOwnersText(visitor))}`;
  return `Ended ${countsOf(ended)}${subject}; a running service refuses what was ended within 2 seconds.`;
}
