import type { Command } from 'commander';
import type { PrivateJwk } from '../adapters/tokens/private-jwks.ts';
import type { Config } from '../service/config.ts';
import { openState } from './open-state.ts';

/** Adds `keys rotate`. */
export function addKeysTo(program: Command, configOf: () => Config): void {
  program
    .command('keys')
    .description('the keys that sign tokens and links to the PDF')
    .command('rotate')
    .description('sign with a new key; the old ones verify until the last thing they signed has expired')
    .option('--drop-old', 'let the old keys verify nothing any more, as after a leak: all tokens and links end')
    .option('--json', 'print as JSON which key signs, and which ones verify until when')
    .action(({ dropOld = false, json = false }: { dropOld?: boolean; json?: boolean }) =>
      rotateKeys(configOf(), dropOld, json),
    );
}

async function rotateKeys(config: Config, isDropping: boolean, isJson: boolean): Promise<void> {
  const { keyFileIn, replaceKeyFile } = await import('../adapters/tokens/key-file.ts');
  const { readPrivateJwks, rotate } = await import('../adapters/tokens/private-jwks.ts');
  await using opened = await openState(config);
  const { store, tokens, auditLog } = opened;
  const now = new Date();
  const expiries = (await store.unexpiredTokens(now)).map(({ expiresAt }) => expiresAt);
  const until = lastExpiryOf(config, expiries, now);
  const toNext = async (text: string) =>
    JSON.stringify({ keys: await rotate(isDropping ? [] : readPrivateJwks(text), until, now) });
  if (config.signingKey !== undefined) {
    console.log(await toNext(config.signingKey));
    return console.error(wordsForSetting(isDropping));
  }
  const next = await replaceKeyFile(keyFileIn(config.dataDir), toNext);
  // The tokens have ended with their key; this makes `tokens list` show it.
  if (isDropping) await tokens.revoke({ kind: 'all' });
  auditLog.note({ event: 'key_rotated', detail: isDropping ? 'the old ones dropped' : 'the old ones kept' });
  await report(readPrivateJwks(next), isJson);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** When the last thing has expired that the old key signed, or signs before the new one is in its place everywhere. */
function lastExpiryOf(config: Config, expiries: readonly Date[], now: Date): Date {
  const inPlaceMs = config.signingKey === undefined ? minuteMs : dayMs;
  const longestMs = 1000 * Math.max(config.tokenTtlSeconds, config.pdfLinkTtlSeconds);
  const lastMs = expiries.reduce((latest, at) => Math.max(latest, at.getTime()), now.getTime() + inPlaceMs + longestMs);
  // Links expire on the hour.
  return new Date(Math.ceil(lastMs / hourMs) * hourMs);
}

async function report(jwks: readonly PrivateJwk[], isJson: boolean): Promise<void> {
  const { kidOf } = await import('../adapters/tokens/private-jwks.ts');
  const [signing, ...old] = jwks;
  const kid = await kidOf(signing!);
  const verifying = await Promise.all(
    old.map(async (jwk) => ({ kid: await kidOf(jwk), until: new Date(jwk.exp! * 1000).toISOString() })),
  );
  console.log(isJson ? JSON.stringify({ kid, verifying }, null, 2) : kid);
  console.error('The new key signs; a running service takes it up within 2 seconds, without a restart.');
  for (const key of verifying) console.error(`The old key ${key.kid} verifies until ${key.until}.`);
  if (verifying.length === 0) console.error('No other key verifies: every token and PDF link issued so far has ended.');
}

const wordsForSetting = (isDropping: boolean) =>
  [
    'Nothing is written, because SIGNING_KEY is set: put the set printed on stdout, which is secret, into it everywhere',
    `the service runs, ${isDropping ? 'at once' : 'within a day'}, and restart all.`,
    isDropping ? 'Then every token and PDF link issued so far ends.' : 'What was signed so far stays good.',
  ].join(' ');
