import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction, Updateable } from 'kysely';
import type { Notice } from '../operations/services.ts';
import type { Tables } from './migrations.ts';

/** Runs the work as one transaction, all or nothing and on the disk once it is over; it uses its `trx` and nothing else. */
export type Write = <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) => Promise<Result>;

/** A notice claimed for sending; `attempts` counts the claims, this one included. */
export interface QueuedMail extends Notice {
  readonly id: string;
  readonly createdAt: Date;
  readonly attempts: number;
}

/** Puts a notice into the outbox, in the transaction of what it reports. */
export async function queueMail(trx: Transaction<Tables>, notice: Notice, createdAt: Date): Promise<void> {
  const { replyTo: reply_to, ...rest } = notice;
  const at = createdAt.toISOString();
  const schedule = { attempts: 0, scheduled_at: at, due_at: at };
  await trx
    .insertInto('outbox')
    .values({ id: randomUUID(), ...rest, reply_to, created_at: at, ...schedule })
    .execute();
}

/** The outbox as the one who sends sees it: each mail is claimed under a lease, then sent, put off or given up. */
export function mailQueueOf(db: Kysely<Tables>, write: Write) {
  // Whoever lost the lease meanwhile changes nothing: the next claim has counted `attempts` up.
  const settle = ({ id, attempts }: QueuedMail, values: Updateable<Tables['outbox']>) =>
    write(async (trx) => {
      await trx.updateTable('outbox').set(values).where('id', '=', id).where('attempts', '=', attempts).execute();
    });

  return {
    /** The mail that has been due longest, nobody else's until `leaseUntil`; null where none is due. */
    async claimMail(now: Date, leaseUntil: Date): Promise<QueuedMail | null> {
      // Looking first leaves the lock alone while there is nothing to do, which is nearly always.
      const due = db.selectFrom('outbox').select('id').where(isDue(now)).orderBy('due_at').limit(1);
      const found = await due.executeTakeFirst();
      if (!found) return null;
      const row = await write((trx) =>
        trx
          .updateTable('outbox')
          .set({ scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString() })
          .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
          .where('id', '=', found.id)
          .where(isDue(now))
          .returning(['id', 'kind', 'subject', 'text', 'reply_to', 'created_at', 'attempts'])
          .executeTakeFirst(),
      );
      if (!row) return null;
      const { reply_to: replyTo, created_at, ...mail } = row;
      return { ...mail, replyTo, createdAt: new Date(created_at) };
    },

    markMailSent: (mail: QueuedMail, sentAt: Date) =>
      settle(mail, { due_at: null, sent_at: sentAt.toISOString(), last_error: null }),

    putOffMail: (mail: QueuedMail, now: Date, dueAt: Date, error: string) =>
      settle(mail, { scheduled_at: now.toISOString(), due_at: dueAt.toISOString(), last_error: error }),

    /** Makes it a dead letter: kept, but not sent any more. */
    giveUpMail: (mail: QueuedMail, error: string) => settle(mail, { due_at: null, last_error: error }),

    /** When the next mail becomes due; null where none waits. */
    async nextMailDueAt(): Promise<Date | null> {
      const { due_at } = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.min('due_at').as('due_at'))
        .where('due_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return due_at === null ? null : new Date(due_at);
    },
  };
}

const clockToleranceMilliseconds = 45_000;

function isDue(now: Date) {
  const tolerated = new Date(now.getTime() + clockToleranceMilliseconds);
  return (eb: ExpressionBuilder<Tables, 'outbox'>) =>
    eb.and([
      eb('due_at', 'is not', null),
      // What was scheduled in the future was so before the clock was set back, and its due_at means nothing.
      eb.or([eb('due_at', '<=', now.toISOString()), eb('scheduled_at', '>', tolerated.toISOString())]),
    ]);
}
