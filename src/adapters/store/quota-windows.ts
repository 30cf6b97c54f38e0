import type { Kysely } from 'kysely';
import type { QuotaCharge } from '../../operations/ports.ts';
import type { Read } from './database-access.ts';
import type { Write } from './group-commit.ts';
import type { Tables } from './migrations.ts';

/** The quotas that all processes share, counted in the store: one fixed window for each key. */
export function quotaWindowsOf(read: Read, write: Write) {
  return {
    /** Counts one use for each charge and returns null if all have room; otherwise counts none and returns when all will have. */
    async takeQuotas(charges: readonly QuotaCharge[], now: Date): Promise<Date | null> {
      // Reads first, so that a flood of refused calls takes no write lock.
      const fullUntil = fullUntilOf(await read((db) => windowsOf(db, charges, now)));
      if (fullUntil !== null) return fullUntil;
      return await write(async (trx) => {
        const windows = await windowsOf(trx, charges, now);
        const nowFullUntil = fullUntilOf(windows);
        if (nowFullUntil !== null) return nowFullUntil;
        const values = windows.map(({ key, used, ends_at }) => ({ key, used: used + 1, ends_at }));
        await trx
          .insertInto('quota_windows')
          .values(values)
          .onConflict((conflict) =>
            conflict.column('key').doUpdateSet((eb) => ({
              used: eb.ref('excluded.used'),
              ends_at: eb.ref('excluded.ends_at'),
            })),
          )
          .execute();
        return null;
      });
    },
  };
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

/** Returns when all windows have room again; null if they have. */
function fullUntilOf(windows: Awaited<ReturnType<typeof windowsOf>>): Date | null {
  const ends = windows.filter(({ used, count }) => used >= count).map(({ ends_at }) => Date.parse(ends_at));
  return ends.length === 0 ? null : new Date(Math.max(...ends));
}
