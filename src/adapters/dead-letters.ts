import type { Kysely } from 'kysely';
import type { Write } from './mail-queue.ts';
import type { Tables } from './migrations.ts';

/** A notice that has not been sent; `dueAt` is null for a dead letter. */
export interface UnsentNotice {
  readonly id: string;
  readonly kind: 'auth_request' | 'contact_request';
  readonly createdAt: Date;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastError: string | null;
}

/** The outbox as the owner lists it and gives dead letters another chance. */
export function deadLettersOf(db: Kysely<Tables>, write: Write) {
  return {
    /** What waits and what was given up, the oldest first. */
    async listUnsent(): Promise<UnsentNotice[]> {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'kind', 'created_at', 'attempts', 'due_at', 'last_error'])
        .where('sent_at', 'is', null)
        .orderBy('created_at')
        .execute();
      return rows.map(({ id, kind, created_at, attempts, due_at, last_error }) => ({
        id,
        kind,
        createdAt: new Date(created_at),
        attempts,
        dueAt: due_at === null ? null : new Date(due_at),
        lastError: last_error,
      }));
    },

    /** How many notices wait and how many were given up; `oldestAt` is when the oldest that waits was written, null where none does. */
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

    /** Makes dead letters due, that of an id with those of the same mail or all, as if they had never been tried; returns how many there were. */
    retryDeadLetters: (now: Date, id?: string): Promise<number> =>
      write(async (trx) => {
        const at = now.toISOString();
        const dead = trx.updateTable('outbox').where('sent_at', 'is', null).where('due_at', 'is', null);
        // Notices of one mail are sent, and counted, together.
        const mail = trx
          .selectFrom('outbox')
          .select('mail_id')
          .where('id', '=', id ?? '');
        const chosen = id === undefined ? dead : dead.where('mail_id', 'in', mail);
        const rows = await chosen.set({ due_at: at, scheduled_at: at, attempts: 0 }).returning('id').execute();
        return rows.length;
      }),
  };
}
