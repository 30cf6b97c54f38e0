import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction, Updateable } from 'kysely';
import type { Notice } from '../operations/services.ts';
import { freeAt, hourAfter, isSentWithinHour, type MailsPerHour, sentWithinHour } from './mail-budget.ts';
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

type Row = Tables['outbox'];

/** Messages are sent before access notices. */
const kinds = ['contact_request', 'auth_request'] as const;

/** How many notices one digest takes: messages with their words, access notices as lines. */
const noticesPerMail = { contact_request: 100, auth_request: 2_000 };

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
 * The outbox as the sending process sees it: notices are claimed under a lease, as one mail, then sent, put off or given up.
 * The last mail of an hour takes all notices of its kind that wait, and words that went out within the hour wait for its end;
 * if the mails are unlimited, each notice goes alone.
 */
export function mailQueueOf(db: Kysely<Tables>, write: Write, mailsPerHour: MailsPerHour) {
  const isUnlimited = mailsPerHour.contact_request === Number.POSITIVE_INFINITY;

  /** Changes the notices of a claimed mail, unless the lease was lost: then the next claim has counted `attempts` up. */
  const updateClaimed = ({ id, attempts }: QueuedMail, values: Updateable<Row>) =>
    write(async (trx) => {
      await trx.updateTable('outbox').set(values).where('mail_id', '=', id).where('attempts', '=', attempts).execute();
    });

  /** Returns the notice that is to go out next, and whether its mail is the last of the hour for its kind. */
  async function nextDue(db: Kysely<Tables>, now: Date): Promise<{ row: Row; isLast: boolean } | null> {
    for (const kind of kinds) {
      const sent = isUnlimited ? 0 : (await sentWithinHour(db, kind, now)).length;
      if (sent >= mailsPerHour[kind]) continue;
      const due = db.selectFrom('outbox').selectAll().where('kind', '=', kind).where(isDue(now));
      const row = await due.orderBy('due_at').limit(1).executeTakeFirst();
      if (row !== undefined) return { row, isLast: sent === mailsPerHour[kind] - 1 };
    }
    return null;
  }

  /** Returns the notices that go out in one mail with the one that is to go out next. */
  async function chooseFrom(trx: Transaction<Tables>, now: Date): Promise<Row[]> {
    const next = await nextDue(trx, now);
    if (next === null) return [];
    const { row, isLast } = next;
    const all = trx.selectFrom('outbox').selectAll();
    if (row.mail_id !== null) return await all.where('mail_id', '=', row.mail_id).execute();
    if (isUnlimited) return [row];
    const fresh = all.where('kind', '=', row.kind).where('mail_id', 'is', null).where(isDue(now));
    const joining = isLast ? fresh : fresh.where((eb) => eb.or([eb('id', '=', row.id), eb('words', '=', row.words)]));
    return await joining.orderBy('due_at').limit(noticesPerMail[row.kind]).execute();
  }

  return {
    /** The mail that has been due longest, nobody else's until `leaseUntil`; null if none is due or may go out. */
    async claimMail(now: Date, leaseUntil: Date): Promise<QueuedMail | null> {
      // Looking first leaves the lock alone while there is nothing to do, which is nearly always.
      if ((await nextDue(db, now)) === null) return null;
      const rows = await write(async (trx) => {
        if (!isUnlimited) await holdRepeats(trx, now);
        const ids = (await chooseFrom(trx, now)).map(({ id }) => id);
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
      updateClaimed(mail, { due_at: null, sent_at: sentAt.toISOString(), last_error: null }),

    putOffMail: (mail: QueuedMail, now: Date, dueAt: Date, error: string) =>
      updateClaimed(mail, { scheduled_at: now.toISOString(), due_at: dueAt.toISOString(), last_error: error }),

    /** Makes it a dead letter: kept, but not sent any more. */
    giveUpMail: (mail: QueuedMail, error: string) => updateClaimed(mail, { due_at: null, last_error: error }),

    /** When the next mail is due and may go out; null if none waits. */
    async nextMailDueAt(now: Date): Promise<Date | null> {
      const waiting = await db
        .selectFrom('outbox')
        .select((eb) => ['kind', eb.fn.min('due_at').as('due_at')])
        .where('due_at', 'is not', null)
        .groupBy('kind')
        .execute();
      const instants: number[] = [];
      for (const { kind, due_at } of waiting) {
        const free = await freeAt(db, kind, mailsPerHour[kind], now);
        instants.push(Math.max(Date.parse(due_at!), free?.getTime() ?? 0));
      }
      return instants.length === 0 ? null : new Date(Math.min(...instants));
    },
  };
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

const toNotice = ({ kind, about, subject, text, line, words, reply_to }: Row): Notice => ({
  kind,
  about,
  subject,
  text,
  line,
  words,
  replyTo: reply_to,
});

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
