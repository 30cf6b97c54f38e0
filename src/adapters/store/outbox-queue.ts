import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction, Updateable } from 'kysely';
import type { Notice } from '../../operations/ports.ts';
import { countFittingOneMail } from '../mail/mail-size.ts';
import type { Write } from './group-commit.ts';
import { freeAt, isLastOfHour, type Lane, lanesOf, type MailsPerHour, wordsSentWithinHour } from './mail-budget.ts';
import type { Tables } from './migrations.ts';

/** Notices claimed for sending as one mail; its id stays the same over retries, `attempts` counts the claims, this one included. */
export interface QueuedMail {
  readonly id: string;
  readonly notices: readonly Notice[];
  readonly createdAt: Date;
  readonly attempts: number;
}

type Row = Tables['outbox'];

/** How many notices one digest takes: messages with their words, access notices as lines. */
const noticesPerMail = { contact_request: 100, auth_request: 2_000 };

/** Puts a notice into the outbox, in the transaction of what it reports. */
export async function queueMail(trx: Transaction<Tables>, notice: Notice, createdAt: Date): Promise<void> {
  const { replyTo: reply_to, messageHash: words, ...rest } = notice;
  const at = createdAt.toISOString();
  const schedule = { attempts: 0, scheduled_at: at, due_at: at };
  await trx
    .insertInto('outbox')
    .values({ id: randomUUID(), ...rest, words, reply_to, is_part: 0, created_at: at, ...schedule })
    .execute();
}

/**
 * The outbox as the sending process sees it: notices are claimed under a lease, as one mail, then sent, put off or given up.
 * The last mail of an hour takes all notices of its kind that wait, and words that went out within the hour wait for its end;
 * if the mails are unlimited, each notice goes alone.
 */
export function mailQueueOf(db: Kysely<Tables>, write: Write, mailsPerHour: MailsPerHour) {
  const isUnlimited = mailsPerHour.contact_request === Number.POSITIVE_INFINITY;

  /** Changes a claimed mail, unless it was sent or given up, or the lease was lost: then the next claim has counted `attempts` up. */
  const updateClaimed = ({ id, attempts }: QueuedMail, values: Updateable<Row>) =>
    write(async (trx) => {
      const claimed = trx.updateTable('outbox').where('mail_id', '=', id).where('attempts', '=', attempts);
      await claimed.set(values).where('due_at', 'is not', null).execute();
    });

  const lanes = lanesOf(mailsPerHour);

  const waitingIn = (db: Kysely<Tables>, { kind, isPart }: Lane) =>
    db
      .selectFrom('outbox')
      .where('kind', '=', kind)
      .where('is_part', '=', Number(isPart))
      .where('due_at', 'is not', null);

  /** Returns the notice that is to go out next. */
  async function nextDue(db: Kysely<Tables>, now: Date): Promise<Row | undefined> {
    for (const lane of lanes) {
      if ((await freeAt(db, lane, now)) !== null) continue;
      const due = waitingIn(db, lane).selectAll().where(isDue(now));
      const row = await due.orderBy('due_at').limit(1).executeTakeFirst();
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** Returns the notices that go out in one mail with the one that is to go out next. */
  async function chooseFrom(trx: Transaction<Tables>, now: Date): Promise<readonly Row[]> {
    const next = await nextDue(trx, now);
    if (next === undefined) return [];
    const { id, kind, mail_id, words } = next;
    const all = trx.selectFrom('outbox').selectAll();
    if (mail_id !== null) return await all.where('mail_id', '=', mail_id).execute();
    if (isUnlimited) return [next];
    const fresh = all.where('kind', '=', kind).where('mail_id', 'is', null).where(isDue(now));
    const isLast = await isLastOfHour(trx, { kind, isPart: false, perHour: mailsPerHour[kind] }, now);
    const joining = isLast ? fresh : fresh.where((eb) => eb.or([eb('id', '=', id), eb('words', '=', words)]));
    const rows = await joining.orderBy('due_at').limit(noticesPerMail[kind]).execute();
    return rows.slice(0, countFittingOneMail(rows.map(toNotice)));
  }

  return {
    /** Claims the next mail until `leaseUntil`: messages first, then what has been due longest; null if none may go out. */
    async claimMail(now: Date, leaseUntil: Date): Promise<QueuedMail | null> {
      // Looking first leaves the lock alone while there is nothing to do, which is nearly always.
      if ((await nextDue(db, now)) === undefined) return null;
      const rows = await write(async (trx) => {
        if (!isUnlimited) await holdRepeats(trx, now);
        const chosen = await chooseFrom(trx, now);
        const ids = chosen.map(({ id }) => id);
        const mail_id = chosen[0]?.mail_id ?? mailIdOf(ids);
        return await trx
          .updateTable('outbox')
          .set({ mail_id, scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString(), last_error: null })
          .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
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

    renewLease: (mail: QueuedMail, now: Date, leaseUntil: Date) =>
      updateClaimed(mail, { scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString() }),

    markMailSent: (mail: QueuedMail, sentAt: Date) =>
      updateClaimed(mail, { due_at: null, sent_at: sentAt.toISOString(), last_error: null }),

    putOffMail: (mail: QueuedMail, now: Date, dueAt: Date, error: string) =>
      updateClaimed(mail, { scheduled_at: now.toISOString(), due_at: dueAt.toISOString(), last_error: error }),

    /** Makes its halves mails of their own, due at once and as if this one had not been tried. */
    splitMail: ({ id, attempts }: QueuedMail, now: Date, error: string): Promise<void> =>
      write(async (trx) => {
        const claimed = trx
          .selectFrom('outbox')
          .select('id')
          .where('mail_id', '=', id)
          .where('attempts', '=', attempts);
        // The same words stay together: if they are what is refused, fewer mails find out.
        const ids = (await claimed.orderBy('words').orderBy('created_at').execute()).map(({ id }) => id);
        const middle = Math.ceil(ids.length / 2);
        const at = now.toISOString();
        for (const half of [ids.slice(0, middle), ids.slice(middle)])
          await trx
            .updateTable('outbox')
            .set({ mail_id: mailIdOf(half), is_part: 1, attempts: attempts - 1 })
            .set({ scheduled_at: at, due_at: at, last_error: error })
            .where('id', 'in', half)
            .execute();
      }),

    /** Makes it a dead letter: kept, but not sent any more. */
    giveUpMail: (mail: QueuedMail, error: string) => updateClaimed(mail, { due_at: null, last_error: error }),

    /** Returns when the next mail is due and may go out; null if none waits. */
    async nextMailDueAt(now: Date): Promise<Date | null> {
      const instants: number[] = [];
      for (const lane of lanes) {
        const waiting = waitingIn(db, lane).select((eb) => eb.fn.min('due_at').as('due_at'));
        const { due_at } = await waiting.executeTakeFirstOrThrow();
        if (due_at === null) continue;
        const free = await freeAt(db, lane, now);
        instants.push(Math.max(Date.parse(due_at), free?.getTime() ?? 0));
      }
      return instants.length === 0 ? null : new Date(Math.min(...instants));
    },
  };
}

/** Lets notices wait whose words have gone out within the hour, until it is over: then they go out together. */
async function holdRepeats(trx: Transaction<Tables>, now: Date): Promise<void> {
  const againAt = new Map(await wordsSentWithinHour(trx, now));
  const due = trx.selectFrom('outbox').select(['id', 'words']).where('kind', '=', 'contact_request');
  // Each notice once, and not each word once: both may be thousands, and nobody is answered meanwhile.
  for (const { id, words } of await due.where('mail_id', 'is', null).where(isDue(now)).execute()) {
    const at = againAt.get(words ?? '');
    if (at === undefined) continue;
    const schedule = { scheduled_at: now.toISOString(), due_at: at.toISOString() };
    await trx.updateTable('outbox').set(schedule).where('id', '=', id).execute();
  }
}

/** The id of a mail, and of its Message-ID: a notice that goes alone has its own. */
const mailIdOf = (ids: readonly string[]): string => (ids.length === 1 ? ids[0]! : randomUUID());

const toNotice = ({ kind, about, subject, text, line, words, reply_to }: Row): Notice => ({
  kind,
  about,
  subject,
  text,
  line,
  messageHash: words,
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
