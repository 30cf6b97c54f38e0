import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Write, WriteOptions } from '../database.ts';
import { retryWhileLocked } from '../lock-wait.ts';
import type { Tables } from '../tables.ts';
import { isLocked } from './error-codes.ts';

/** The advisory lock of the store, which exclusive work takes alone and all other work shares; "prof" in ASCII. */
const storeLock = 0x70726f66;
/** The advisory locks of names; "name" in ASCII. Two names with one hash wait for each other, which does no harm. */
const namesLock = 0x6e616d65;
const mutexes: Record<NonNullable<WriteOptions['mutex']>, number> = { claims: 1, reads: 2 };

/** Runs each piece of work as a transaction of its own: PostgreSQL itself lets those that commit at the same time share an fsync. */
export const transactionsOf =
  (db: Kysely<Tables>, lockWaitMilliseconds: number): Write =>
  (work, options = {}) =>
    retryWhileLocked(isLocked, lockWaitMilliseconds, () =>
      // Set, because the database may have another default: with it, work would not see what was committed during the wait.
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (trx) => {
          await takeLocks(trx, options);
          return await work(trx);
        }),
    );

export async function lockNames(trx: Transaction<Tables>, names: RawBuilder<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${namesLock}, hashtext(name)) from (${names}) as locked`.execute(trx);
}

async function takeLocks(trx: Transaction<Tables>, { isExclusive = false, mutex }: WriteOptions): Promise<void> {
  if (isExclusive) await sql`select pg_advisory_xact_lock(${storeLock})`.execute(trx);
  else await sql`select pg_advisory_xact_lock_shared(${storeLock})`.execute(trx);
  if (mutex !== undefined) await sql`select pg_advisory_xact_lock(${storeLock}, ${mutexes[mutex]})`.execute(trx);
}
