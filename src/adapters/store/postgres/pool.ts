import type { PostgresPool } from 'kysely';
import { type ClientConfig, DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { ConnectionFault, READ_ONLY_SQL_TRANSACTION, redactRows } from './errors.ts';

export interface PostgresAddress {
  /** The address for messages, without password and query. */
  readonly name: string;
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly config: ClientConfig;
}

/** Reads an address like `pg`, `sslmode` like libpq, the rest from PGHOST and the like. Throws one line without password. */
export function readAddress(url: string): PostgresAddress {
  const config = parseAddress(url);
  const { port, database = '' } = config;
  const host = config.host || process.env.PGHOST || 'localhost';
  const authority = `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  return {
    name: host.startsWith('/') ? `postgres:///${database}?host=${host}` : `postgres://${authority}/${database}`,
    host,
    config: {
      ...config,
      application_name: config.application_name ?? (process.env.PGAPPNAME || 'candidate-profile'),
      // Otherwise `pg` would look for a password file, and warn that its next version will not.
      password: config.password || process.env.PGPASSWORD || '',
      enableChannelBinding: true,
    },
  };
}

function parseAddress(url: string): ClientConfig {
  try {
    return toClientConfig(parse(url, { useLibpqCompat: true }));
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (path !== undefined) throw new Error(`DATABASE_URL: ${path} cannot be read (${code})`);
    if (message.startsWith('SECURITY WARNING'))
      throw new Error('DATABASE_URL: sslmode=verify-ca needs sslrootcert: name that file');
    throw new Error('DATABASE_URL: cannot be read; in a password, write @ / ? # % as %40 %2F %3F %23 %25');
  }
}

const INT8 = 20;
const NUMERIC = 1_700;

// `pg` would return values that may exceed 2^53 as strings; counts and row ids stay below.
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

export const maxConnections = 10;

/** A message from the server outside of query results, such as a warning. */
export interface ServerNotice {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
}

export function openPool(
  { name, config }: PostgresAddress,
  options: PoolConfig,
  onNotice: (notice: ServerNotice) => void = () => {},
): PostgresPool {
  const network = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, allowExitOnIdle: true };
  const pool = new Pool({ ...config, ...network, max: maxConnections, types: { getTypeParser }, ...options });
  pool.on('error', () => {}); // an idle connection was lost: the next use opens another
  // Without a listener, a connection lost between two statements would end the process. The next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}).on('notice', onNotice));
  return {
    async connect() {
      try {
        return guard(await pool.connect());
      } catch (error) {
        const isBusy = (error as Error).message === 'timeout exceeded when trying to connect';
        throw isBusy
          ? new ConnectionFault(`${name} is busy: all ${pool.options.max} connections to it are in use`, { isBusy })
          : new ConnectionFault(`${name} cannot be connected to`, { cause: error });
      }
    },
    async end() {
      if (!pool.ending) await pool.end();
    },
    options: pool.options,
  };
}

/** Closes a client when a statement is not answered, for later ones would wait, and after a write refused as read-only. */
function guard(client: PoolClient): PoolClient {
  let isReadOnly = false;
  let fault: ConnectionFault | undefined;

  async function query(text: string, values?: unknown[]): Promise<unknown> {
    if (fault !== undefined) throw fault; // the rollback after it would say less
    try {
      return await client.query(text, values);
    } catch (error) {
      if (error instanceof TypeError) throw error; // a value that cannot be sent
      if (error instanceof DatabaseError) {
        isReadOnly ||= error.code === READ_ONLY_SQL_TRANSACTION;
        throw redactRows(error);
      }
      void client.end();
      fault = new ConnectionFault('the connection to the database was lost', { cause: error });
      throw fault;
    }
  }

  const release = (isUnusable = false) => client.release(isUnusable || isReadOnly);
  const { processID } = client as { readonly processID?: number };
  return { query, release, processID } as unknown as PoolClient;
}
