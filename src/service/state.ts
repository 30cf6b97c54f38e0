import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { openAuditLog } from '../adapters/audit-log.ts';
import { sidecars } from '../adapters/store/sqlite/database-file.ts';
import { openDatabase, openStore } from '../adapters/store/store.ts';
import { keyFileIn, openKeys, visitorHashOf } from '../adapters/tokens/keys.ts';
import { openTokens } from '../adapters/tokens/tokens.ts';
import { baseUrlOf, type Config, StartFault } from './config/config.ts';
import { quote } from './program-name.ts';

export type State = Awaited<ReturnType<typeof openState>>;

type StateLog = ReturnType<typeof commandLogOf> & Partial<Pick<Logger, 'flush'>>;

export interface StateOptions {
  readonly baseUrl?: string;
  /** The limit after which notices are combined in a digest; without it each notice is a mail. */
  readonly mailsPerHour?: number;
  /** How long a call waits while another process holds the write lock; 10 s by default. */
  readonly lockWaitMilliseconds?: number;
  /** How long to wait for a database server that is not up yet; not at all by default. */
  readonly startWaitMilliseconds?: number;
  readonly onTokenRefused?: (reason: string) => void;
  readonly log?: StateLog;
}

/** Returns the log of a command: messages on stderr, without time and level, and the cause of errors. */
export const commandLogOf = ({ error }: Pick<Console, 'error'>) => ({
  error: (fields: object, message: string) => error(`${message}: ${(fields as { err: Error }).err.message}`),
  warn: (message: string) => error(message),
  info: (message: string) => error(message),
});
const commandLockWaitMilliseconds = 10_000;
const clockToleranceSeconds = 5;

/** Opens database, keys and audit log, also beside a running service. Throws `StartFault` if DATA_DIR is unusable. */
export async function openState(config: Config, { baseUrl, onTokenRefused = () => {}, ...options }: StateOptions = {}) {
  const log = options.log ?? commandLogOf(console);
  openDirectory(config);
  const now = () => new Date();
  // Opened before the database, which a start may wait for: a wrong key ends it immediately.
  const keys = await openKeys({ signingKey: config.signingKey, dataDir: config.dataDir, now });
  await using opening = new AsyncDisposableStack();
  const { lockWaitMilliseconds = commandLockWaitMilliseconds, startWaitMilliseconds = 0 } = options;
  const warn = (message: string) => {
    log.warn(message);
    // The log says what the start waits for.
    options.log?.flush?.();
  };
  const database = await openDatabase(config.database, { lockWaitMilliseconds, startWaitMilliseconds, warn });
  const store = opening.adopt(await openStore(database, { ...options, lockWaitMilliseconds, log }), ({ close }) =>
    close(),
  );
  const secondsAhead = Math.round((now().getTime() - (await store.readClock()).getTime()) / 1_000);
  if (Math.abs(secondsAhead) > clockToleranceSeconds) {
    const side = secondsAhead > 0 ? 'ahead of' : 'behind';
    warn(`this machine's clock is ${Math.abs(secondsAhead)} s ${side} the database server's: set both by NTP`);
  }
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
  return { keys, store, now, tokens, hashVisitor, auditLog, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

type DataPlace = Pick<Config, 'dataDir' | 'database'>;

/** Creates DATA_DIR if it does not exist, and checks that the data can be written. Throws `StartFault`. */
export function openDirectory(place: DataPlace): void {
  const { dataDir } = place;
  const fault = dataFaultOf(place);
  if (fault !== null) throw new StartFault(`${fault.setting}: ${fault.found}; ${fault.remedy}`);
  try {
    makeDirectory(dataDir);
    rmdirSync(mkdtempSync(join(dataDir, 'probe-')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isInFile = code === 'ENOTDIR' || code === 'EEXIST';
    throw new StartFault(`DATA_DIR: ${isInFile ? `${dataDir} is not a folder` : `cannot be written: ${message}`}`);
  }
}

/** A data folder or file that this user may not use, the setting that chooses it, and what to do. */
interface DataFault {
  readonly setting: 'DATA_DIR' | 'DATABASE_URL';
  readonly found: string;
  readonly remedy: string;
}

/** Returns the first fault of the data that belongs to another user or cannot be written; null if there is none. */
export function dataFaultOf({ dataDir, database }: DataPlace): DataFault | null {
  const existing = nearestExisting(dataDir);
  if (!statSync(existing).isDirectory()) return null;
  const { R_OK, W_OK, X_OK } = constants;
  const file = 'file' in database ? database.file : null;
  const folders = [existing, join(dataDir, 'audit'), join(dataDir, 'mail'), ...(file === null ? [] : [dirname(file)])];
  const databases = file === null ? [] : ['', ...sidecars].map((suffix) => file + suffix);
  for (const [path, mode] of [
    ...folders.map((folder) => [folder, W_OK | X_OK] as const),
    [keyFileIn(dataDir), R_OK] as const,
    ...databases.map((one) => [one, R_OK | W_OK] as const),
  ])
    try {
      accessSync(path, mode);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS') return toDataFault(path, dataDir, code);
    }
  return null;
}

function toDataFault(path: string, dataDir: string, code: 'EACCES' | 'EROFS'): DataFault {
  const isMissing = path !== dataDir && path === nearestExisting(dataDir);
  const isInDataDir = isMissing || `${path}/`.startsWith(`${dataDir}/`);
  const setting = isInDataDir ? 'DATA_DIR' : 'DATABASE_URL';
  const cannot = isMissing ? `${dataDir} cannot be created` : `${path} cannot be used`;
  const elsewhere = `set ${setting} to a place that this user can write`;
  if (code === 'EROFS') return { setting, found: `${cannot}: its file system is read-only`, remedy: elsewhere };
  // Another folder above it, if that one may not be searched.
  const place = nearestExisting(path);
  const it = place === path && !isMissing ? 'it' : place;
  const { uid, mode } = statSync(place);
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  if (uid === user) {
    const found = `${cannot}: ${it} has mode ${(mode & 0o777).toString(8)}`;
    return { setting, found, remedy: `chmod u+rwX ${quote(place)}` };
  }
  const found = `${cannot}: ${it} belongs to user ${uid}, and this process runs as user ${user}`;
  const command = isMissing
    ? `install -d -o ${user} -g ${group} -m 700 ${quote(dataDir)}`
    : `chown -R ${user}:${group} ${quote(dataDir)}`;
  return { setting, found, remedy: isInDataDir ? `as root: ${command}` : elsewhere };
}

/** Returns the path if it exists, otherwise the nearest existing folder above it. */
export const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

/** Creates a folder and its parents. Node's `recursive` never returns on a file system such as `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
