import type { PostgresPool } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { isUnavailable } from './error-codes.ts';

const maxConnections = 10;
const connectionTimeoutMilliseconds = 1_000;
const lockTimeoutMilliseconds = 1_000;
const statementTimeoutMilliseconds = 1_500;

const INT8 = 20;
const NUMERIC = 1_700;

/** Opens a pool of connections to the database at an address. */
export function openPool(url: string): PostgresPool {
  const pool = new Pool({
    application_name: 'candidate-profile',
    ...clientConfigOf(url),
    max: maxConnections,
    connectionTimeoutMillis: connectionTimeoutMilliseconds,
    statement_timeout: statementTimeoutMilliseconds,
    query_timeout: statementTimeoutMilliseconds,
    lock_timeout: lockTimeoutMilliseconds,
    idle_in_transaction_session_timeout: 2 * statementTimeoutMilliseconds,
    keepAlive: true,
    types: { getTypeParser },
  });
  pool.on('error', () => {}); // an idle connection was lost: the next use opens another
  // One that is in use was lost between two statements: the next one fails. Without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: async () => discardingOnFailure(await pool.connect()),
    end: () => pool.end(),
    options: pool.options,
  };
}

/** Returns the configuration of a connection, with `sslmode` and its like as libpq understands them. */
export const clientConfigOf = (url: string) => parseIntoClientConfig(withLibpqModes(url));

function withLibpqModes(url: string): string {
  const address = new URL(url);
  address.searchParams.set('uselibpqcompat', 'true');
  return address.href;
}

// `pg` would give out as strings what may exceed 2^53: counts and row ids don't.
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/** Returns a client that is not given out again once a statement has failed because of its connection. */
function discardingOnFailure(client: PoolClient): PoolClient {
  let failure: Error | undefined;
  return {
    async query(...statement: Parameters<PoolClient['query']>) {
      if (failure !== undefined) throw failure; // such as the rollback after it, which would wait as long
      try {
        return await client.query(...statement);
      } catch (error) {
        if (isUnavailable(error)) failure = error as Error;
        throw error;
      }
    },
    release: () => client.release(failure),
  } as PoolClient;
}
