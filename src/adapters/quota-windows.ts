import type { Counted } from '../operations/services.ts';
import type { Write } from './mail-queue.ts';

/** The quotas that all processes share, counted in the store. */
export function quotaWindowsOf(write: Write) {
  return {
    /** Counts one more of each, where all have room; else counts none and returns those that are full, with the ends of their windows. */
    async takeQuotas(counted: readonly Counted[], now: Date): Promise<{ key: string; endsAt: Date }[]> {
      const endOf = ({ seconds }: Counted) => new Date(now.getTime() + seconds * 1_000).toISOString();
      return await write(async (trx) => {
        const keys = counted.map(({ key }) => key);
        const rows = await trx.selectFrom('quota_windows').selectAll().where('key', 'in', keys).execute();
        const windows = counted.map((one) => {
          const row = rows.find(({ key }) => key === one.key);
          // One that ends later than any that begins now was begun before the clock was set back.
          const isOpen = row !== undefined && row.ends_at > now.toISOString() && row.ends_at <= endOf(one);
          return { ...one, used: isOpen ? row.used : 0, ends_at: isOpen ? row.ends_at : endOf(one) };
        });
        const full = windows.filter(({ used, count }) => used >= count);
        if (full.length > 0) return full.map(({ key, ends_at }) => ({ key, endsAt: new Date(ends_at) }));
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
        return [];
      });
    },
  };
}
