import type { PostgresPool } from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import type { PostgresAddress } from './address.ts';
import { ConnectionFault, poolBusy } from './connection-fault.ts';
import { destroy, guard, socketOf } from './guarded-client.ts';
import type { Limits } from './limits.ts';

const INT8 = 20;
const NUMERIC = 1_700;
const keepAliveMilliseconds = 10_000;
/** How often, at most, all connections are opened anew while the database is read-only: each write would do so. */
const reopenMilliseconds = 1_000;

// `pg` would give out as strings what may exceed 2^53: counts and row ids don't.
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;

/** What the server tells besides the answer to a statement. */
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
  // One in use was lost between two statements: the next statement fails. Without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', (client) => client.on('notice', onNotice));
  const allInUse = `all ${max} connections to it were in use for ${connectionTimeoutMillis / 1_000} s`;
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => clients.add(client as PoolClient));
  pool.on('connect', (client) => openedAt.set(client as PoolClient, performance.now()));
  pool.on('remove', (client) => clients.delete(client as PoolClient));

  const openedAt = new WeakMap<PoolClient, number>();
  /** When a write was refused as read-only: older connections are closed, because they stay so when the database or the host no longer is. */
  let readOnlyAt = Number.NEGATIVE_INFINITY;
  /** When each connection last answered. */
  const answeredAt = new WeakMap<PoolClient, number>();
  /** When the last statement was sent that its connection did not answer: a connection that has not answered since then is closed, too. */
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
      await pool.end();
      // Over a broken network they cannot close, and would keep the process alive.
      for (const client of clients) socketOf(client).unref();
    },
    options: pool.options,
  };
}
