import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { Failure } from '../../model/failure.ts';
import { type QuotaCharge, secondsUntil, toRateLimited } from '../../model/quota.ts';
import type { Access } from './database.ts';
import type { Tables } from './tables.ts';

/** The quotas that all processes share, counted in the store: one fixed window for each key. */
export function quotasOf({ read, write }: Access) {
  return {
    /** Throws `RATE_LIMITED` if a window is full. Takes no write lock: a flood of refused calls delays no writer. */
    async check(charges: readonly QuotaCharge[], now: Date): Promise<void> {
      if (charges.length === 0) return;
      const windows = await read((db) => windowsOf(db, charges, now));
      const full = windows.filter(({ used }, index) => used >= charges[index]!.count);
      if (full.length > 0) throw toRefusal(full, now);
    },

    /** Counts one use for each charge, or throws `RATE_LIMITED` and counts none. */
    async take(charges: readonly QuotaCharge[], now: Date): Promise<void> {
      if (charges.length > 0) await write((trx) => countUses(trx, charges, now));
    },
  };
}

/** Counts one use for each charge, in the transaction of the call. Throws `RATE_LIMITED` if a window is full. */
export async function countUses(trx: Transaction<Tables>, charges: readonly QuotaCharge[], now: Date): Promise<void> {
  if (charges.length === 0) return;
  const at = now.toISOString();
  // In the same order, so that two transactions with the same keys do not deadlock.
  const sorted = charges.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const counts = sorted.map(({ key, count }) => sql`when ${key} then cast(${count} as integer)`);
  const isRunning = sql<boolean>`quota_windows.ends_at > ${at}`;
  const counted = await trx
    .insertInto('quota_windows')
    .values(sorted.map(({ seconds, key }) => ({ key, used: 1, ends_at: endOf(seconds, now) })))
    // In one statement, so that the second of two concurrent transactions sees the count of the first.
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          used: sql`case when ${isRunning} then quota_windows.used + 1 else 1 end`,
          ends_at: sql`case when ${isRunning} then quota_windows.ends_at else excluded.ends_at end`,
        })
        .where(
          sql<SqlBool>`not ${isRunning} or quota_windows.used < case quota_windows.key ${sql.join(counts, sql` `)} end`,
        ),
    )
    .returning('key')
    .execute();
  const full = charges.filter((charge) => !counted.some(({ key }) => key === charge.key));
  if (full.length > 0) throw toRefusal(await windowsOf(trx, full, now), now);
}

const endOf = (seconds: number, now: Date): string => new Date(now.getTime() + seconds * 1_000).toISOString();

async function windowsOf(db: Kysely<Tables>, charges: readonly QuotaCharge[], now: Date) {
  const keys = charges.map(({ key }) => key);
  const rows = await db.selectFrom('quota_windows').selectAll().where('key', 'in', keys).execute();
  return charges.map(({ key, seconds }) => {
    const row = rows.find((window) => window.key === key);
    return row !== undefined && row.ends_at > now.toISOString() ? row : { key, used: 0, ends_at: endOf(seconds, now) };
  });
}

const toRefusal = (full: readonly { readonly ends_at: string }[], now: Date): Failure =>
  toRateLimited(secondsUntil(Math.max(...full.map(({ ends_at }) => Date.parse(ends_at))), now.getTime()));
