import { type Kysely, sql, type Transaction } from 'kysely';
import type { Write } from '../database.ts';
import { retryWhileLocked } from '../lock-wait.ts';
import type { Tables } from '../tables.ts';
import { isLocked } from './error-codes.ts';

/** The advisory lock of the store, which exclusive work takes alone and all other work shares; "prof" in ASCII. */
const storeLock = 0x70726f66;

/** Runs each piece of work as a transaction of its own: PostgreSQL itself lets those that commit at the same time share an fsync. */
export const transactionsOf =
  (db: Kysely<Tables>, lockWaitMilliseconds: number): Write =>
  (work, { isExclusive = false } = {}) =>
    retryWhileLocked(isLocked, lockWaitMilliseconds, () =>
      db.transaction().execute(async (trx) => {
        await takeLock(trx, isExclusive);
        return await work(trx);
      }),
    );

async function takeLock(trx: Transaction<Tables>, isExclusive: boolean): Promise<void> {
  if (isExclusive) await sql`select pg_advisory_xact_lock(${storeLock})`.execute(trx);
  else await sql`select pg_advisory_xact_lock_shared(${storeLock})`.execute(trx);
}
