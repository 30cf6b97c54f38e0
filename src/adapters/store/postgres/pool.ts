import type { Socket } from 'node:net';
import type { PostgresPool } from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import type { PostgresAddress } from './address.ts';
import { ConnectionFault, poolBusy, READ_ONLY_SQL_TRANSACTION } from './errors.ts';

/** Times in milliseconds; 0 is none. */
export interface Limits {
  readonly max: number;
  /** How long a connection is waited for: a free one of the pool, or a new one. */
  readonly connectionTimeoutMillis: number;
  readonly lock_timeout: number;
  readonly statement_timeout: number;
  /** How long the answer to a statement is waited for; over a broken network it never arrives. */
  readonly query_timeout: number;
  /** After this the server ends a transaction, and gives back its locks, if its process is gone or cut off. */
  readonly idle_in_transaction_session_timeout: number;
}

/** Returns limits that end work within 1.5 times as long as it may wait for a lock. */
export const limitsOf = (lockWaitMilliseconds: number): Limits => ({
  max: 10,
  connectionTimeoutMillis: lockWaitMilliseconds,
  lock_timeout: lockWaitMilliseconds,
  statement_timeout: 1.2 * lockWaitMilliseconds,
  query_timeout: 1.5 * lockWaitMilliseconds,
  idle_in_transaction_session_timeout: 2 * lockWaitMilliseconds,
});

const INT8 = 20;
const NUMERIC = 1_700;
const keepAliveMilliseconds = 10_000;
/** How often, at most, all connections are opened anew while the database is read-only: each write would do so. */
const reopenMilliseconds = 1_000;

// `pg` would give out as strings what may exceed 2^53: counts and row ids don't.
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/** For one connection whose work may take any time. */
export const untimed = { max: 1, statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 };

/** A message of the server besides the answer to a statement. */
export type Notice = { readonly [Field in 'code' | 'message' | 'detail']?: string | undefined };

/** Opens a pool of connections to a database; connects when it is first used. */
export function openPool(
  { name, config, isTlsOptional }: PostgresAddress,
  limits: Limits,
  onNotice: (notice: Notice) => void = () => {},
): PostgresPool {
  const { max, connectionTimeoutMillis, query_timeout } = limits;
  const pool = new Pool({
    ...config,
    max,
    connectionTimeoutMillis,
    ...(query_timeout > 0 && { query_timeout }),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
    types: { getTypeParser },
  });
  pool.on('error', () => {}); // an idle connection was lost: the next use opens another
  const allInUse = `all ${max} connections to it were in use for ${connectionTimeoutMillis / 1_000} s`;
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    // One in use was lost between two statements: the next statement fails. Without a listener the process would end.
    client.on('error', () => {}).on('notice', onNotice);
    clients.add(client as PoolClient);
    openedAt.set(client as PoolClient, performance.now());
  });
  pool.on('remove', (client) => clients.delete(client as PoolClient));

  const openedAt = new WeakMap<PoolClient, number>();
  /** When a write was refused as read-only: older connections are closed, because they would stay read-only. */
  let readOnlyAt = Number.NEGATIVE_INFINITY;
  /** When each connection last answered. */
  const answeredAt = new WeakMap<PoolClient, number>();
  /** When the last unanswered statement was sent: a connection that has not answered since then is closed, too. */
  let unansweredAt = 0;

  const isStale = (client: PoolClient): boolean =>
    (answeredAt.get(client) ?? Number.POSITIVE_INFINITY) <= unansweredAt || openedAt.get(client)! <= readOnlyAt;

  async function openClient(): Promise<PoolClient> {
    const { ssl: tried } = pool.options;
    try {
      return await pool.connect();
    } catch (error) {
      const ssl = otherTls(error);
      if (!isTlsOptional || ssl === undefined || ssl === tried) throw error;
      pool.options.ssl = ssl;
      return pool.connect();
    }
  }

  const otherTls = (error: unknown): typeof config.ssl => {
    if (error instanceof Error && /does not support SSL/.test(error.message)) return false;
    const isRefusedPlain = error instanceof DatabaseError && /no encryption/.test(error.message);
    return isRefusedPlain ? config.ssl : undefined;
  };

  return {
    async connect() {
      try {
        let client = await openClient();
        while (isStale(client)) {
          destroy(client);
          client = await openClient();
        }
        if (!answeredAt.has(client)) answeredAt.set(client, performance.now());
        return guard(client, {
          limits,
          onAnswer: () => void answeredAt.set(client, performance.now()),
          onLost(sentAt) {
            unansweredAt = Math.max(unansweredAt, sentAt);
          },
          onReadOnly() {
            const now = performance.now();
            if (now >= readOnlyAt + reopenMilliseconds) readOnlyAt = now;
          },
        });
      } catch (error) {
        const isBusy = (error as Error).message === 'timeout exceeded when trying to connect';
        if (isBusy)
          throw new ConnectionFault(`${name} is busy`, Object.assign(new Error(allInUse), { code: poolBusy }));
        throw new ConnectionFault(`${name} cannot be connected to`, error);
      }
    },
    async end() {
      if (!pool.ending) await pool.end();
      // Over a broken network they cannot close, and would keep the process alive.
      for (const client of clients) socketOf(client).unref();
    },
    options: pool.options,
  };
}

interface Options {
  readonly limits: Limits;
  readonly onAnswer: () => void;
  /** Called with the time of the statement, of `performance.now()`, if the connection did not answer or was lost. */
  readonly onLost: (sentAt: number) => void;
  /** Called if the server refused to write, because the session or the server is read-only. */
  readonly onReadOnly: () => void;
}

/**
 * Returns a client whose transactions have limits, and which is destroyed instead of given back once its connection was
 * lost or did not answer: `pg` would give such a client out again, and queue all later statements behind the one
 * without an answer.
 */
export function guard(client: PoolClient, { limits, onAnswer, onLost, onReadOnly }: Options): PoolClient {
  let fault: ConnectionFault | undefined;

  async function query(text: string, values?: readonly unknown[]): Promise<unknown> {
    if (fault !== undefined) throw fault; // such as the rollback after it, which would wait as long
    const sentAt = performance.now();
    try {
      const result = beginsTransaction.test(text)
        ? await beginWithLimits(client, text, limits)
        : await client.query(text, values as unknown[]);
      onAnswer();
      return result;
    } catch (error) {
      if (error instanceof TypeError) throw error; // a value that cannot be sent
      redactRows(error);
      const isAnswer = error instanceof DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
      if (isAnswer) onAnswer();
      if (isAnswer && error.code === READ_ONLY_SQL_TRANSACTION) onReadOnly();
      if (isAnswer) throw error;
      onLost(sentAt);
      fault = new ConnectionFault('the connection to the database was lost', error);
      throw fault;
    }
  }

  const release = () => (fault === undefined ? client.release() : destroy(client));
  const { processID } = client as { readonly processID?: number };
  return { query, release, processID } as unknown as PoolClient;
}

const beginsTransaction = /^(?:begin|start transaction)\b/;

// If it is off, a crash loses acknowledged commits. With every other value, a commit waits for the disk.
const makeDurable = `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`;

// With the transaction: PgBouncer refuses them as parameters of the connection, and gives a session with its settings
// to another client next.
async function beginWithLimits(client: PoolClient, begin: string, limits: Limits): Promise<unknown> {
  const { lock_timeout, statement_timeout, idle_in_transaction_session_timeout } = limits;
  const settings = Object.entries({ lock_timeout, statement_timeout, idle_in_transaction_session_timeout });
  const limited = settings.map(([name, value]) => `set local ${name} = ${Math.round(value)}`);
  const statements = [begin, ...limited, makeDurable];
  const results = (await client.query(statements.join('; '))) as unknown as readonly unknown[];
  return results[0];
}

/** Removes a client from its pool, and closes its socket without waiting for the other side. */
export function destroy(client: PoolClient): void {
  client.release(true);
  socketOf(client).destroy();
}

const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Removes from an error of the server what it quotes of rows, which are visitors' data. */
function redactRows(error: unknown): void {
  if (!(error instanceof DatabaseError)) return;
  for (const name of ['detail', 'where', 'hint', 'internalQuery'] as const) delete error[name];
  const { code = '', message, stack = '' } = error;
  // Messages of these classes quote a value: of a column whose type was altered, or by a trigger that somebody added.
  if (!['22', 'P0'].includes(code.slice(0, 2))) return;
  error.message = `the server refused a value (SQLSTATE ${code})`;
  error.stack = stack.replace(message, () => error.message);
}
