import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { openAuditLog } from '../adapters/audit-log.ts';
import type { MailsPerHour } from '../adapters/store/mail-budget.ts';
import { openSqlite } from '../adapters/store/sqlite/sqlite.ts';
import { openStore } from '../adapters/store/store.ts';
import { openKeys } from '../adapters/tokens/keys.ts';
import { openTokens } from '../adapters/tokens/tokens.ts';
import { visitorHashOf } from '../adapters/tokens/visitor-hash.ts';
import { baseUrlOf, type Config, StartFault } from './config.ts';

export type State = Awaited<ReturnType<typeof openState>>;

interface Options {
  readonly baseUrl?: string;
  /** For who sends mail; without it each notice is a mail of its own. */
  readonly mailsPerHour?: MailsPerHour;
  /** How long a call waits while another process holds the write lock; 10 s if it is not given. */
  readonly lockWaitMilliseconds?: number;
  /** Told why a token was refused. */
  readonly onTokenRefused?: (reason: string) => void;
  readonly log?: Pick<Logger, 'error' | 'warn' | 'info'>;
}

const onTerminal = {
  error: (_: object, message: string) => console.error(message),
  warn: (message: string) => console.error(message),
};
const commandLockWaitMilliseconds = 10_000;

/** What DATA_DIR and the database hold: all that an owner's command needs, beside a running service too. */
export async function openState(config: Config, { baseUrl, onTokenRefused = () => {}, ...options }: Options = {}) {
  const log = options.log ?? onTerminal;
  openDirectory(config.dataDir);
  const now = () => new Date();
  const keys = await openKeys({ signingKey: config.signingKey, dataDir: config.dataDir, now });
  await using opening = new AsyncDisposableStack();
  const dialect = openSqlite(config.databasePath, (message) => log.warn(message));
  const lockWaitMilliseconds = commandLockWaitMilliseconds;
  const store = opening.adopt(await openStore(dialect, { lockWaitMilliseconds, ...options }), ({ close }) => close());
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
  const close = () => opened.disposeAsync();
  return { keys, store, tokens, hashVisitor, auditLog, close, [Symbol.asyncDispose]: close };
}

function openDirectory(path: string): void {
  try {
    makeDirectory(path);
    rmdirSync(mkdtempSync(join(path, 'probe-')));
  } catch (error) {
    throw new StartFault(`DATA_DIR: cannot be written: ${(error as Error).message}`);
  }
}

/** Makes a folder and those above it: Node's own `recursive` never returns on a file system that takes no folders, as `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
