import type { Kysely, Transaction } from 'kysely';
import { secondsUntil, toRateLimited } from '../../model/quota.ts';
import type { QuotaCharge } from '../../operations/ports.ts';
import type { Read } from './database-access.ts';
import type { Write } from './group-commit.ts';
import type { Tables } from './tables.ts';

/** The quotas that all processes share, counted in the store: one fixed window for each key. */
export function quotaWindowsOf(read: Read, write: Write) {
  return {
    /** Throws `RATE_LIMITED` if a window is full. Takes no write lock, so that a flood of refused calls delays no writer. */
    async checkQuotas(charges: readonly QuotaCharge[], now: Date): Promise<void> {
      if (charges.length > 0) await read(async (db) => refuseFull(await windowsOf(db, charges, now), now));
    },

    /** Counts one use for each charge, or throws `RATE_LIMITED` and counts none. */
    async takeQuotas(charges: readonly QuotaCharge[], now: Date): Promise<void> {
      if (charges.length > 0) await write((trx) => countUses(trx, charges, now));
    },
  };
}

/** Counts one use for each charge, in the transaction of what the call stores. Throws `RATE_LIMITED` if a window is full. */
export async function countUses(trx: Transaction<Tables>, charges: readonly QuotaCharge[], now: Date): Promise<void> {
  if (charges.length === 0) return;
  const windows = await windowsOf(trx, charges, now);
  refuseFull(windows, now);
  await trx
    .insertInto('quota_windows')
    .values(windows.map(({ key, used, ends_at }) => ({ key, used: used + 1, ends_at })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        used: eb.ref('excluded.used'),
        ends_at: eb.ref('excluded.ends_at'),
      })),
    )
    .execute();
}

/** Returns the current window of each charge, a new one if none is running. */
async function windowsOf(db: Kysely<Tables>, charges: readonly QuotaCharge[], now: Date) {
  const keys = charges.map(({ key }) => key);
  const rows = await db.selectFrom('quota_windows').selectAll().where('key', 'in', keys).execute();
  return charges.map(({ key, count, seconds }) => {
    const row = rows.find((found) => found.key === key);
    const newEnd = new Date(now.getTime() + seconds * 1_000).toISOString();
    // A window that ends later than a new one was begun before the clock was set back.
    const isRunning = row !== undefined && row.ends_at > now.toISOString() && row.ends_at <= newEnd;
    return { key, count, used: isRunning ? row.used : 0, ends_at: isRunning ? row.ends_at : newEnd };
  });
}

/** Throws `RATE_LIMITED`, with the seconds until all windows have room again, if one is full. */
function refuseFull(windows: Awaited<ReturnType<typeof windowsOf>>, now: Date): void {
  const ends = windows.filter(({ used, count }) => used >= count).map(({ ends_at }) => Date.parse(ends_at));
  if (ends.length > 0) throw toRateLimited(secondsUntil(Math.max(...ends), now.getTime()));
}
