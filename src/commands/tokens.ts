import type { Command } from 'commander';
import { toEmailAddress } from '../model/email-address.ts';
import { pluralize } from '../model/pluralize.ts';
import { toVisible } from '../model/visible-text.ts';
import type { Config } from '../service/config/config.ts';
import type { EndedCounts, EndingTarget } from '../service/owner/revoker.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openState } from './open-state.ts';
import { confirm } from './terminal/confirm.ts';
import { addListNoteTo, idByStart } from './terminal/short-ids.ts';

/** Adds `tokens list`, `tokens clients` and `tokens revoke`. */
export function addTokensTo(program: Command, configOf: () => Config): void {
  const tokens = program
    .command('tokens')
    .description('list the tokens of visitors and the clients that they connected, and end them');
  addListNoteTo(tokens.command('list'))
    .description('list the tokens that have not expired, the latest first')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => list(configOf(), json));
  addListNoteTo(tokens.command('clients'))
    .description('list what visitors have allowed clients that connect by OAuth, the latest first')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => listGrants(configOf(), json));
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
      return revoke(configOf(), target, options);
    });
}

interface RevokeOptions {
  readonly jti?: string;
  readonly grant?: string;
  readonly email?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Returns which tokens the options name; `refuse` reports wrong usage. */
function readTarget({ jti, grant, email, all }: RevokeOptions, refuse: (message: string) => never): EndingTarget {
  if ([jti, grant, email, all].filter((option) => option !== undefined).length !== 1)
    refuse('give one of --jti, --grant, --email and --all');
  if (all) return { kind: 'all' };
  if (jti !== undefined)
    return jti.trim() === '' ? refuse('--jti must not be empty') : { kind: 'jti', jti: jti.trim() };
  if (grant !== undefined)
    return grant.trim() === '' ? refuse('--grant must not be empty') : { kind: 'grant', id: grant.trim() };
  return { kind: 'subject', subject: toEmailAddress(email!) ?? refuse('--email must be a valid email address') };
}

async function list(config: Config, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const rows = (await opened.store.tokens.listUnexpired(opened.clock.now())).map((token) => ({
    jti: token.jti,
    subject: token.subject,
    issued_at: token.issuedAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked: opened.tokens.isRevoked(token),
    client: token.clientName,
    grant: token.grantId,
  }));
  if (isJson) return console.log(JSON.stringify(rows, null, 2));
  const { printTable } = await import('./terminal/table.ts');
  printTable(rows, [
    { heading: 'jti', kind: 'id', cell: (row) => row.jti },
    { heading: 'issued', kind: 'time', cell: (row) => row.issued_at },
    {
      heading: 'expires',
      kind: 'time',
      cell: (row) => (row.revoked ? 'revoked' : row.expires_at),
      shownIn: 'terminal',
    },
    { heading: 'expires', kind: 'time', cell: (row) => row.expires_at, shownIn: 'pipe' },
    { heading: 'revoked', kind: 'whole', cell: (row) => (row.revoked ? 'yes' : 'no'), shownIn: 'pipe' },
    { heading: 'subject', kind: 'whole', cell: (row) => toVisible(row.subject) },
    { heading: 'client', kind: 'text', cell: (row) => toVisible(row.client ?? '-') },
  ]);
}

async function listGrants(config: Config, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const rows = (await opened.store.oauth.grants.listUnexpired(opened.clock.now())).map((grant) => ({
    id: grant.id,
    subject: grant.subject,
    is_verified: grant.isVerified,
    client: grant.clientName,
    client_id: grant.clientId,
    redirect_uri: grant.redirectUri,
    scope: grant.scopes.join(' '),
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
  }));
  if (isJson) return console.log(JSON.stringify(rows, null, 2));
  const { printTable } = await import('./terminal/table.ts');
  printTable(rows, [
    { heading: 'id', kind: 'id', cell: (row) => row.id },
    { heading: 'since', kind: 'time', cell: (row) => row.created_at, shownIn: 'pipe' },
    { heading: 'until', kind: 'time', cell: (row) => row.expires_at },
    {
      heading: 'may',
      kind: 'whole',
      cell: (row) => (row.scope.includes('contact:write') ? 'read, write' : 'read'),
      shownIn: 'terminal',
    },
    { heading: 'scope', kind: 'text', cell: (row) => row.scope, shownIn: 'pipe' },
    { heading: 'verified', kind: 'whole', cell: (row) => (row.is_verified ? 'yes' : 'no') },
    { heading: 'subject', kind: 'whole', cell: (row) => toVisible(row.subject) },
    { heading: 'client', kind: 'text', cell: (row) => toVisible(row.client) },
    {
      heading: 'sends back to',
      kind: 'text',
      cell: (row) => toVisible(hostOf(row.redirect_uri)),
      shownIn: 'terminal',
    },
    { heading: 'sends back to', kind: 'text', cell: (row) => toVisible(row.redirect_uri), shownIn: 'pipe' },
  ]);
}

/** Returns the host of an address, or the scheme of one that has none, such as `cursor://anysphere`. */
const hostOf = (address: string): string => new URL(address).host || new URL(address).protocol;

async function revoke(config: Config, named: EndingTarget, { yes, json: isJson = false }: RevokeOptions) {
  const { revokerOf } = await import('../service/owner/revoker.ts');
  await using opened = await openState(config);
  const { store, clock, tokens, auditLog } = opened;
  const target = await withWholeId(named, opened);
  const revoker = revokerOf({ store, tokens, audit: auditLog.append });
  const ended = await revoker.count(target, clock.now());
  if (target.kind === 'all' && ended.tokens + ended.grants > 0)
    await confirm(() => `This ends ${countsOf(ended)} in ${config.database.name}. It cannot be undone.`, yes);
  await revoker.revoke(target, clock.now());
  if (isJson) console.log(JSON.stringify({ ended: ended.tokens, grants: ended.grants }));
  console.error(toWords(target, ended));
}

/** Returns a target with the id that the given one begins; unchanged if no listed id begins so. Throws if several do. */
async function withWholeId(
  target: EndingTarget,
  { store, clock }: Awaited<ReturnType<typeof openState>>,
): Promise<EndingTarget> {
  if (target.kind === 'jti') {
    const ids = (await store.tokens.listUnexpired(clock.now())).map(({ jti }) => jti);
    return { ...target, jti: idByStart(target.jti, ids, 'token') ?? target.jti };
  }
  if (target.kind !== 'grant') return target;
  const ids = (await store.oauth.grants.listUnexpired(clock.now())).map(({ id }) => id);
  return { ...target, id: idByStart(target.id, ids, 'grant') ?? target.id };
}

/** Such as `2 valid tokens and 1 grant`. */
const countsOf = ({ tokens, grants }: EndedCounts): string =>
  [pluralize(tokens, 'valid token'), ...(grants === 0 ? [] : [pluralize(grants, 'grant')])].join(' and ');

function toWords(target: EndingTarget, ended: EndedCounts): string {
  const isNothing = ended.tokens + ended.grants === 0;
  if (target.kind === 'jti' && isNothing) return 'No valid token with this id is known; the id is revoked anyway.';
  if (target.kind === 'grant' && isNothing)
    return `No grant with this id is valid. To list the ids: ${toCommandLine('tokens', 'clients')}`;
  const subject = target.kind === 'subject' ? ` of ${toVisible(target.subject)}` : '';
  return `Ended ${countsOf(ended)}${subject}; a running service refuses what was ended within 2 seconds.`;
}
