import type { Command } from 'commander';
import type { RevocationTarget } from '../adapters/tokens/revocations.ts';
import { toEmailAddress } from '../model/email-address.ts';
import { pluralize } from '../model/pluralize.ts';
import { toVisible } from '../model/visible-text.ts';
import type { Config } from '../service/config/config.ts';
import { openState } from './open-state.ts';
import { confirm } from './terminal/confirm.ts';

/** Adds `tokens list` and `tokens revoke`. */
export function addTokensTo(program: Command, configOf: () => Config): void {
  const tokens = program.command('tokens').description('list the tokens of visitors, and revoke them');
  tokens
    .command('list')
    .description('list the tokens that have not expired, the latest first')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => list(configOf(), json));
  tokens
    .command('revoke')
    .description('end tokens before they expire; a visitor who asks again gets a new one')
    .option('--jti <id>', 'the token with this id, as the list and the notice show it')
    .option('--email <address>', 'every token issued to this address so far')
    .option('--all', 'every token issued so far; asks first on a terminal')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how many valid tokens have ended')
    .action((options: RevokeOptions, command: Command) => {
      const target = readTarget(options, (message) => command.error(`error: ${message}`));
      return revoke(configOf(), target, options);
    });
}

interface RevokeOptions {
  readonly jti?: string;
  readonly email?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Returns which tokens the options name; `refuse` reports wrong usage. */
function readTarget({ jti, email, all }: RevokeOptions, refuse: (message: string) => never): RevocationTarget {
  if ([jti, email, all].filter((option) => option !== undefined).length !== 1)
    refuse('give one of --jti, --email and --all');
  if (all) return { kind: 'all' };
  if (jti !== undefined)
    return jti.trim() === '' ? refuse('--jti must not be empty') : { kind: 'jti', jti: jti.trim() };
  return { kind: 'subject', subject: toEmailAddress(email!) ?? refuse('--email must be a valid email address') };
}

async function list(config: Config, isJson: boolean): Promise<void> {
  await using opened = await openState(config);
  const rows = (await opened.store.unexpiredTokens(opened.clock.now())).map((token) => ({
    jti: token.jti,
    subject: token.subject,
    issued_at: token.issuedAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked: opened.tokens.isRevoked(token),
  }));
  if (isJson) return console.log(JSON.stringify(rows, null, 2));
  const { printTable } = await import('./terminal/table.ts');
  printTable([
    ['jti', 'issued', 'expires', 'revoked', 'subject'],
    ...rows.map((row) => [row.jti, row.issued_at, row.expires_at, row.revoked ? 'yes' : 'no', toVisible(row.subject)]),
  ]);
}

async function revoke(config: Config, target: RevocationTarget, { yes, json: isJson = false }: RevokeOptions) {
  const { revokerOf } = await import('../service/owner/revoker.ts');
  await using opened = await openState(config);
  const { store, clock, tokens, auditLog } = opened;
  const revoker = revokerOf({ store, tokens, audit: auditLog.append });
  const count = await revoker.countValid(target, clock.now());
  if (target.kind === 'all' && count > 0)
    await confirm(
      () => `This ends ${pluralize(count, 'valid token')} in ${config.database.name}. It cannot be undone.`,
      yes,
    );
  await revoker.revoke(target);
  if (isJson) console.log(JSON.stringify({ ended: count }));
  console.error(toWords(target, count));
}

function toWords(target: RevocationTarget, count: number): string {
  if (target.kind === 'jti' && count === 0) return 'No valid token with this id is known; the id is revoked anyway.';
  const subject = target.kind === 'subject' ? ` of ${toVisible(target.subject)}` : '';
  return `Ended ${pluralize(count, 'valid token')}${subject}; a running service refuses what was ended within 2 seconds.`;
}
