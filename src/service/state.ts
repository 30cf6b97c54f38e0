import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { openAuditLog } from '../adapters/audit-log.ts';
import { openSharedClock } from '../adapters/shared-clock.ts';
import type { MailsPerHour } from '../adapters/store/due-mail.ts';
import { openDatabase, openStore } from '../adapters/store/store.ts';
import { openKeys, visitorHashOf } from '../adapters/tokens/keys.ts';
import { openTokens } from '../adapters/tokens/tokens.ts';
import { baseUrlOf, type Config, StartFault } from './config/config.ts';

export type State = Awaited<ReturnType<typeof openState>>;

interface Options {
  readonly baseUrl?: string;
  /** The limit after which notices are combined in a digest; without it each notice is a mail. */
  readonly mailsPerHour?: MailsPerHour;
  /** How long a call waits while another process holds the write lock; 10 s if not given. */
  readonly lockWaitMilliseconds?: number;
  /** How long a database server that is not up yet is waited for; not at all if not given. */
  readonly startWaitMilliseconds?: number;
  /** Called with the reason when a token is refused. */
  readonly onTokenRefused?: (reason: string) => void;
  readonly log?: Pick<Logger, 'error' | 'warn' | 'info'>;
}

/** The log of a command: messages on stderr, without time and level, and the cause of errors. */
export const commandLog = {
  error: (fields: object, message: string) => console.error(`${message}: ${(fields as { err: Error }).err.message}`),
  warn: (message: string) => console.error(message),
  info: (message: string) => console.error(message),
};
const commandLockWaitMilliseconds = 10_000;

/** Opens database, keys and audit log, also beside a running service. Throws `StartFault` if DATA_DIR is unusable. */
export async function openState(config: Config, { baseUrl, onTokenRefused = () => {}, ...options }: Options = {}) {
  const log = options.log ?? commandLog;
  openDirectory(config.dataDir);
  let now = () => new Date();
  // Before the database, which a start may wait for: a wrong key ends it at once.
  const keys = await openKeys({ signingKey: config.signingKey, dataDir: config.dataDir, now: () => now() });
  await using opening = new AsyncDisposableStack();
  const { lockWaitMilliseconds = commandLockWaitMilliseconds, startWaitMilliseconds = 0 } = options;
  const warn = (message: string) => log.warn(message);
  const database = await openDatabase(config.database, { lockWaitMilliseconds, startWaitMilliseconds, warn });
  const store = opening.adopt(await openStore(database, { ...options, lockWaitMilliseconds, log }), ({ close }) =>
    close(),
  );
  const clock = await openSharedClock({ readClock: store.readClock, warn });
  now = clock.now;
  // Which key signs, and which have expired, depends on the time.
  await keys.refresh();
  const tokens = await openTokens({
    keys,
    baseUrl: baseUrl ?? baseUrlOf(config, config.port),
    ttlSeconds: config.tokenTtlSeconds,
    store,
    now,
    onRefused: onTokenRefused,
  });
  const hashVisitor = visitorHashOf(keys);
  const auditLog = openAuditLog({
    directory: join(config.dataDir, 'audit'),
    hashVisitor,
    now,
    log,
  });
  const opened = opening.move();
  return { keys, store, clock, tokens, hashVisitor, auditLog, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Creates the folder if it does not exist, and checks that files can be created in it. */
export function openDirectory(path: string): void {
  try {
    makeDirectory(path);
    rmdirSync(mkdtempSync(join(path, 'probe-')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isInFile = code === 'ENOTDIR' || code === 'EEXIST';
    throw new StartFault(`DATA_DIR: ${isInFile ? `${path} is not a folder` : `cannot be written: ${message}`}`);
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns on a file system such as `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
