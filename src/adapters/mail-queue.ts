import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction, Updateable } from 'kysely';
import type { Notice } from '../operations/services.ts';
import type { Tables } from './migrations.ts';

/** Runs the work as one transaction, all or nothing and on the disk once it is over; it uses its `trx` and nothing else. */
export type Write = <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) => Promise<Result>;

/** Notices claimed for sending as one mail; its id stays the same over retries, `attempts` counts the claims, this one included. */
export interface QueuedMail {
  readonly id: string;
  readonly notices: readonly Notice[];
  readonly createdAt: Date;
  readonly attempts: number;
}

const hour = 60 * 60 * 1_000;

/** As many as one mail takes, so that a mail server will have it: contact requests with their words, and lines. */
const messagesPerMail = 100;
const noticesPerMail = 2_000;

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

/**
 * The outbox as the one who sends sees it: notices are claimed under a lease, as one mail, then sent, put off or given up.
 * The last of `mailsPerHour` takes all that wait, and words that went out within the hour wait for its end; where the number
 * is infinite, each notice goes alone.
 */
export function mailQueueOf(db: Kysely<Tables>, write: Write, mailsPerHour: number) {
  const isUnlimited = mailsPerHour === Number.POSITIVE_INFINITY;

  // Whoever lost the lease meanwhile changes nothing: the next claim has counted `attempts` up.
  const settle = ({ id, attempts }: QueuedMail, values: Updateable<Tables['outbox']>) =>
    write(async (trx) => {
      await trx.updateTable('outbox').set(values).where('mail_id', '=', id).where('attempts', '=', attempts).execute();
    });

  /** When another mail may go out; null where one may now. */
  async function roomAt(db: Kysely<Tables>, now: Date): Promise<Date | null> {
    const sent = isUnlimited ? [] : await sentWithinHour(db, now);
    return sent.length < mailsPerHour ? null : hourAfter(sent.at(-mailsPerHour)!);
  }

  /** The ids of the notices to go out in the next mail; none where nothing is due. */
  async function chooseFrom(trx: Transaction<Tables>, now: Date): Promise<string[]> {
    const due = trx
      .selectFrom('outbox')
      .select(['id', 'mail_id', 'words'])
      .where(isDue(now))
      // Messages first, so that whoever asks for many tokens holds none of them up.
      .orderBy(({ case: when }) => when().when('kind', '=', 'contact_request').then(0).else(1).end())
      .orderBy('due_at');
    const [first, ...others] = await due.limit(isUnlimited ? 1 : noticesPerMail).execute();
    if (first === undefined) return [];
    if (first.mail_id !== null) {
      const again = trx.selectFrom('outbox').select('id').where('mail_id', '=', first.mail_id);
      return (await again.execute()).map(({ id }) => id);
    }
    const fresh = others.filter(({ mail_id }) => mail_id === null);
    const isLast = fresh.length > 0 && (await sentWithinHour(trx, now)).length >= mailsPerHour - 1;
    const joining = fresh.filter(({ words }) => isLast || (words !== null && words === first.words));
    const messages = joining.filter(({ words }) => words !== null).slice(0, messagesPerMail);
    return [first, ...messages, ...joining.filter(({ words }) => words === null)].map(({ id }) => id);
  }

  return {
    /** The mail that has been due longest, nobody else's until `leaseUntil`; null where none is due or may go out. */
    async claimMail(now: Date, leaseUntil: Date): Promise<QueuedMail | null> {
      // Looking first leaves the lock alone while there is nothing to do, which is nearly always.
      const found = await db.selectFrom('outbox').select('id').where(isDue(now)).limit(1).executeTakeFirst();
      if (!found || (await roomAt(db, now)) !== null) return null;
      const rows = await write(async (trx) => {
        if ((await roomAt(trx, now)) !== null) return [];
        if (!isUnlimited) await holdRepeats(trx, now);
        const ids = await chooseFrom(trx, now);
        if (ids.length === 0) return [];
        const own = ids.length === 1 ? ids[0]! : randomUUID();
        return await trx
          .updateTable('outbox')
          .set({ scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString() })
          .set((eb) => ({ attempts: eb('attempts', '+', 1), mail_id: eb.fn.coalesce('mail_id', eb.val(own)) }))
          .where('id', 'in', ids)
          .returningAll()
          .execute();
      });
      const [first] = rows.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
      if (first === undefined) return null;
      return {
        id: first.mail_id!,
        notices: rows.map(toNotice),
        attempts: first.attempts,
        createdAt: new Date(first.created_at),
      };
    },

    markMailSent: (mail: QueuedMail, sentAt: Date) =>
      settle(mail, { due_at: null, sent_at: sentAt.toISOString(), last_error: null }),

    putOffMail: (mail: QueuedMail, now: Date, dueAt: Date, error: string) =>
      settle(mail, { scheduled_at: now.toISOString(), due_at: dueAt.toISOString(), last_error: error }),

    /** Makes it a dead letter: kept, but not sent any more. */
    giveUpMail: (mail: QueuedMail, error: string) => settle(mail, { due_at: null, last_error: error }),

    /** When the next mail is due and may go out; null where none waits. */
    async nextMailDueAt(now: Date): Promise<Date | null> {
      const { due_at } = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.min('due_at').as('due_at'))
        .where('due_at', 'is not', null)
        .executeTakeFirstOrThrow();
      if (due_at === null) return null;
      const mayGoAt = await roomAt(db, now);
      return new Date(Math.max(Date.parse(due_at), mayGoAt?.getTime() ?? 0));
    },
  };
}

/** When the mails of the last hour were sent, the first first. */
async function sentWithinHour(db: Kysely<Tables>, now: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['mail_id', eb.fn.max('sent_at').as('sent_at')])
    .where(isSentWithinHour(now))
    .groupBy('mail_id')
    .orderBy('sent_at')
    .execute();
  return rows.map(({ sent_at }) => new Date(sent_at!));
}

/** Lets notices wait whose words have gone out within the hour, until it is over: then they go out together. */
async function holdRepeats(trx: Transaction<Tables>, now: Date): Promise<void> {
  const said = await trx
    .selectFrom('outbox')
    .select((eb) => ['words', eb.fn.max('sent_at').as('sent_at')])
    .where('words', 'is not', null)
    .where(isSentWithinHour(now))
    .groupBy('words')
    .execute();
  for (const { words, sent_at } of said)
    await trx
      .updateTable('outbox')
      .set({ scheduled_at: now.toISOString(), due_at: hourAfter(new Date(sent_at!)).toISOString() })
      .where('words', '=', words)
      .where('mail_id', 'is', null)
      .where(isDue(now))
      .execute();
}

const toNotice = ({ kind, about, subject, text, line, words, reply_to }: Tables['outbox']): Notice => ({
  kind,
  about,
  subject,
  text,
  line,
  words,
  replyTo: reply_to,
});

const hourAfter = (instant: Date) => new Date(instant.getTime() + hour);

// What was sent in the future was so before the clock was set back, and says nothing of this hour.
const isSentWithinHour = (now: Date) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.and([eb('sent_at', '>', new Date(now.getTime() - hour).toISOString()), eb('sent_at', '<=', now.toISOString())]);

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
