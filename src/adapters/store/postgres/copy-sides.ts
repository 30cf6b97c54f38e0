import { Kysely, sql, type Transaction } from 'kysely';
import { registry } from '../registry.ts';
import type { CopySource, CopyTarget } from '../store-copy.ts';
import type { Tables } from '../tables.ts';
import { readAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault, reasonOf } from './errors.ts';
import { type Limits, openPool } from './pool.ts';
import { refuseServer, ServerFault, transactionsOf } from './postgres.ts';

const waitMilliseconds = 10_000;

/** A statement on a large table, and the pause while the other database is read, may take longer than in the service. */
const limits: Limits = {
  max: 1,
  connectionTimeoutMillis: waitMilliseconds,
  lock_timeout: waitMilliseconds,
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** Connects to a PostgreSQL database to copy from it. Throws a one-line error if that fails. */
export async function openSourceDatabase(url: string): Promise<CopySource> {
  const { db, ...side } = await connect(url);
  return {
    ...side,
    db,
    beginSnapshot: sql`begin isolation level repeatable read, read only`,
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Connects to a PostgreSQL database to copy to it. Throws a one-line error if that fails. */
export async function openTargetDatabase(url: string): Promise<CopyTarget> {
  const { db, ...side } = await connect(url);
  return {
    ...side,
    write: transactionsOf(db, waitMilliseconds),
    restartRowIds,
    keep() {},
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function connect(url: string) {
  const address = readAddress(url);
  const { name } = address;
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits)) });
  try {
    await refuseServer(db);
    // The time of the start is in microseconds: no two servers share it.
    const { rows } = await sql<{ identity: string }>`
      select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, current_schema()) as identity
      from pg_database where datname = current_database()
    `.execute(db);
    return { db, name, identity: rows[0]!.identity };
  } catch (error) {
    await db.destroy();
    if (error instanceof ConnectionFault) throw error;
    throw new Error(`${name} ${error instanceof ServerFault ? error.message : `cannot be used: ${reasonOf(error)}`}`, {
      cause: error,
    });
  }
}

/** Sets each identity column by ALTER TABLE, which a rollback undoes; `setval` it would not. */
async function restartRowIds(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'
  `.execute(trx);
  for (const { table, column } of rows.filter(({ table }) => Object.hasOwn(registry, table))) {
    const [name, id] = [sql.table(table), sql.ref(column)];
    const { rows } = await sql<{ next: number }>`select coalesce(max(${id}), 0) + 1 as next from ${name}`.execute(trx);
    await sql`alter table ${name} alter column ${id} restart with ${sql.lit(rows[0]!.next)}`.execute(trx);
  }
}
