import type { Command } from 'commander';
import { pluralize } from 'resume-profile/text';
import type { KeySet } from '../adapters/tokens/private-jwks.ts';
import { endAllLinks, listLinks } from '../operations/owner/links.ts';
import type { Config } from '../service/config/config.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner, openState } from './database.ts';
import { confirm, type Io } from './terminal.ts';

export function addKeysTo(program: Command, io: Io): void {
  const keys = program
    .command('keys')
    .description('generate or replace the key that signs tokens and links to the PDF');
  keys
    .command('generate')
    .description('print a new key for SIGNING_KEY, as a JWK Set')
    .option('--json', 'print JSON, which is the default')
    .action(() => generateKey(io));
  keys
    .command('rotate')
    .description('sign with a new key; old keys verify until everything they signed has expired')
    .option(
      '--drop-old',
      'drop the old keys, as after a leak: all tokens and links to files end; asks first on a terminal',
    )
    .option('--links', 'replace the key of links alone: every link ends; asks first on a terminal')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON which key signs, and until when the old ones verify')
    .action((options: KeyOptions, command: Command) => {
      if (options.links && options.dropOld) command.error('error: give one of --drop-old and --links');
      return options.links ? rotateLinkKey(io, options) : rotateKeys(io, options);
    });
}

async function generateKey({ console }: Io): Promise<void> {
  const { generateLinkJwk, generatePrivateJwk, toKeySetText } = await import('../adapters/tokens/private-jwks.ts');
  console.log(toKeySetText({ signing: [await generatePrivateJwk()], link: generateLinkJwk() }));
  console.error('Stdout has a new key, which is secret: put it into SIGNING_KEY of every process of the service.');
  console.error(
    'If the service has run before, put the text of DATA_DIR/signing-key.json there instead: tokens stay valid.',
  );
}

interface KeyOptions {
  readonly dropOld?: boolean;
  readonly links?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

async function rotateKeys(io: Io, { dropOld: isDropping = false, yes, json: isJson = false }: KeyOptions) {
  const { keyFileIn, replaceKeyFile } = await import('../adapters/tokens/keys.ts');
  const { readKeySet, rotate, toKeySetText } = await import('../adapters/tokens/private-jwks.ts');
  const config = io.configOf();
  await using opened = await openState(io, config);
  const { store, tokens, auditLog } = opened;
  const now = new Date();
  const unexpired = await store.tokens.listUnexpired(now);
  const expiries = unexpired.map(({ expiresAt }) => expiresAt);
  const until = lastExpiryOf(config, expiries, now);
  // Replicas read the new set one after the other: the last ones must be able to verify tokens signed by the first.
  const signsFrom = 'url' in config.database && !isDropping ? new Date(now.getTime() + dayMs) : undefined;
  const toNext = async (text: string) => {
    const { signing, link } = readKeySet(text);
    return toKeySetText({ signing: await rotate(isDropping ? [] : signing, until, now, signsFrom), link });
  };
  if (config.signingKey !== undefined) {
    io.console.log(await toNext(config.signingKey));
    io.console.error(toInstructions(isDropping, signsFrom));
    if (isDropping) explainLinkKey(io, readKeySet(config.signingKey));
    return;
  }
  if (isDropping) {
    const valid = unexpired.filter((token) => !tokens.isRevoked(token)).length;
    const ended = `${pluralize(valid, 'valid token')} in ${config.database.name} and every link to the PDF`;
    await confirm(io, () => `This ends ${ended}. It cannot be undone.`, yes);
  }
  const next = await replaceKeyFile(keyFileIn(config.dataDir), toNext);
  // The tokens have ended with their key; this makes `tokens list` show it.
  if (isDropping) await tokens.revoke({ kind: 'all' });
  auditLog.append({ event: 'key_rotated', detail: isDropping ? 'the old ones dropped' : 'the old ones kept' });
  await report(io, readKeySet(next), isJson);
  if (isDropping) explainLinkKey(io, readKeySet(next));
}

function explainLinkKey({ console }: Io, { link }: KeySet): void {
  if (link === null) return;
  const command = toCommandLine('keys', 'rotate', '--links');
  console.error(`The key of links was kept beside them, and is as it was. After a leak, replace it, too: ${command}`);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Replaces the key of links. The links end in the store, too, because the new key would give each another code. */
async function rotateLinkKey(io: Io, { yes, json: isJson = false }: KeyOptions): Promise<void> {
  const { keyFileIn, replaceKeyFile } = await import('../adapters/tokens/keys.ts');
  const { generateLinkJwk, readKeySet, toKeySetText } = await import('../adapters/tokens/private-jwks.ts');
  const toNext = (text: string) => toKeySetText({ ...readKeySet(text), link: generateLinkJwk() });
  const config = io.configOf();
  await using owner = await openOwner(io, config);
  await confirm(
    io,
    async () => {
      const open = (await owner.run(listLinks, {})).filter(({ isOpen }) => isOpen).length;
      return open === 0
        ? null
        : `This ends ${pluralize(open, 'link')}, with what was opened through them. It cannot be undone.`;
    },
    yes,
  );
  const { ended } = await owner.run(endAllLinks, {});
  if (config.signingKey === undefined) await replaceKeyFile(keyFileIn(config.dataDir), async (text) => toNext(text));
  owner.auditLog.append({ event: 'key_rotated', detail: 'links' });
  if (config.signingKey !== undefined) io.console.log(toNext(config.signingKey));
  else if (isJson) io.console.log(JSON.stringify({ links: ended }));
  io.console.error(`Ended ${pluralize(ended, 'link')}; a running service refuses them within 2 seconds.`);
  if (config.signingKey !== undefined)
    io.console.error(
      'Stdout has the new set of keys, which is secret: put it into SIGNING_KEY of every process of the service, restart each, and make links only then.',
    );
}

/** Returns when everything has expired that the old key signs until each process has the new key. */
function lastExpiryOf(config: Config, expiries: readonly Date[], now: Date): Date {
  const untilUsedMs = config.signingKey === undefined ? minuteMs : dayMs;
  const longestMs = 1000 * Math.max(config.tokenTtlSeconds, config.pdfLinkTtlSeconds);
  const lastMs = expiries.reduce(
    (latest, at) => Math.max(latest, at.getTime()),
    now.getTime() + untilUsedMs + longestMs,
  );
  // Links expire on the hour.
  return new Date(Math.ceil(lastMs / hourMs) * hourMs);
}

async function report({ console }: Io, { signing: [signing, ...old] }: KeySet, isJson: boolean): Promise<void> {
  const { kidOf } = await import('../adapters/tokens/private-jwks.ts');
  const kid = await kidOf(signing!);
  const verifying = await Promise.all(
    old.map(async (jwk) => ({ kid: await kidOf(jwk), until: new Date(jwk.exp! * 1000).toISOString() })),
  );
  console.log(isJson ? JSON.stringify({ kid, verifying }, null, 2) : kid);
  console.error('The new key signs; a running service uses it within 2 seconds, without a restart.');
  for (const key of verifying) console.error(`The old key ${key.kid} verifies until ${key.until}.`);
  if (verifying.length === 0) console.error('No other key verifies: every token and PDF link issued so far has ended.');
}

const toInstructions = (isDropping: boolean, signsFrom?: Date) =>
  [
    'Nothing was written, because SIGNING_KEY is set. Stdout has the new set of keys, which is secret: put it into',
    `SIGNING_KEY of every process of the service ${isDropping ? 'at once' : 'within a day'}, and restart each.`,
    ...(signsFrom ? [`The old key signs until ${signsFrom.toISOString()}, then the new one.`] : []),
    isDropping ? 'Then every token and PDF link issued so far ends.' : 'What was signed so far stays valid.',
  ].join(' ');
