import type { Kysely } from 'kysely';
import type { Tables } from './migrations.ts';
import type { Write } from './outbox-queue.ts';

/** Notices that were given up, and how many others wait. */
export function deadLettersOf(db: Kysely<Tables>, write: Write) {
  return {
    /** How many notices wait and how many were given up; `oldestAt` is when the oldest that waits was queued, null if none waits. */
    async outboxState(): Promise<{ waiting: number; dead: number; oldestAt: Date | null }> {
      const { waiting, unsent, oldest } = await db
        .selectFrom('outbox')
        .select((eb) => [
          eb.fn.count<number>('due_at').as('waiting'),
          eb.fn.countAll<number>().as('unsent'),
          eb.fn.min('created_at').filterWhere('due_at', 'is not', null).as('oldest'),
        ])
        .where('sent_at', 'is', null)
        .executeTakeFirstOrThrow();
      return { waiting, dead: unsent - waiting, oldestAt: oldest === null ? null : new Date(oldest) };
    },

    /** Whether a notice that was last tried after this instant has been given up. */
    async hasDeadLetterSince(instant: Date): Promise<boolean> {
      const dead = db.selectFrom('outbox').select('id').where('sent_at', 'is', null).where('due_at', 'is', null);
      return (await dead.where('scheduled_at', '>', instant.toISOString()).limit(1).executeTakeFirst()) !== undefined;
    },

    /** Makes dead letters due, that of an id or all, each as a mail of its own that was never tried; returns how many. */
    retryDeadLetters: (now: Date, id?: string): Promise<number> =>
      write(async (trx) => {
        const at = now.toISOString();
        const dead = trx.updateTable('outbox').where('sent_at', 'is', null).where('due_at', 'is', null);
        const chosen = id === undefined ? dead : dead.where('id', '=', id);
        const values = { due_at: at, scheduled_at: at, attempts: 0, is_part: 1 };
        const rows = await chosen
          .set((eb) => ({ ...values, mail_id: eb.ref('id') }))
          .returning('id')
          .execute();
        return rows.length;
      }),
  };
}
