import { randomUUID } from 'node:crypto';
import { type Kysely, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import { encode } from 'nodemailer/lib/qp';
import { dailyMailAt, isReportKind, type Notice } from '../../model/notice.ts';
import { readVisitor, toVisitorText } from '../../model/visitor.ts';
import type { Read, Write } from './database.ts';
import {
  budgetFreeAt,
  deferRepeats,
  discardWaitingSecrets,
  isDue,
  isLastOfBudget,
  laneOf,
  type MailLane,
  type MailsPerHour,
  type PriorityClass,
  priorityClassesOf,
  secretExpiry,
} from './due-mail.ts';
import { isDaily, isInDailyMail, schedulesIn } from './mail-schedules.ts';
import type { Tables } from './tables.ts';

/** Notices claimed as one mail. Its id stays the same over retries; `attempts` counts the claims, this one included. */
export interface QueuedMail {
  readonly id: string;
  readonly notices: readonly Notice[];
  readonly createdAt: Date;
  readonly attempts: number;
  /** When the link or code that it holds expires; null for a mail that holds none. Such a mail can be discarded. */
  readonly expiresAt: Date | null;
}

type Row = Tables['outbox'];

/** How many notices one mail takes if they fit: messages in full, access notices as lines. */
export const noticesPerMail = { contact_request: 100, auth_request: 2_000 };

// A mail is marked sent, and the next one claimed, in the commit of a visitor's write if there is one.
const sharesCommit = { canWait: true };
// What a budget and equal messages allow depends on what other processes claim.
const oneByOne = { ...sharesCommit, mutex: 'claims' } as const;

/** Queues a notice, in the transaction of what it reports. */
export async function queueNotice(
  trx: Transaction<Tables>,
  notice: Notice,
  createdAt: Date,
  id: string = randomUUID(),
): Promise<void> {
  const { replyTo: reply_to, messageHash: words, recipient = null, thread: mails = [], ...given } = notice;
  const { visitor, visitorName: visitor_name = null, ...rest } = given;
  const thread = mails.length === 0 ? null : mails.join(' ');
  const columns = { visitor: visitor === undefined ? null : toVisitorText(visitor), visitor_name };
  const at = createdAt.toISOString();
  const schedule = { attempts: 0, scheduled_at: at, due_at: at };
  await trx
    .insertInto('outbox')
    .values({ id, ...rest, words, reply_to, recipient, thread, ...columns, is_part: 0, created_at: at, ...schedule })
    .execute();
}

/**
 * The outbox as the sending process sees it: it claims notices as one mail under a lease, then marks the mail sent,
 * defers it or gives it up. Other processes may claim the mail once the lease ends. Equal due messages share a mail,
 * and a message equal to one sent within the last hour is deferred to the end of that hour. The last mail of an hourly
 * budget takes all due notices of its kind that fit, and so does a daily mail. Without a budget each notice is a mail of
 * its own, unless it is sent daily.
 */
export function outboxQueueOf(read: Read, write: Write, mailsPerHour: MailsPerHour) {
  const isUnlimited = mailsPerHour.contact_request === Number.POSITIVE_INFINITY;
  const classes = priorityClassesOf(mailsPerHour);
  const classesOf = (lane: MailLane) => classes.filter(({ kind }) => laneOf(kind) === lane);

  /** Updates a claimed mail, unless it was sent, given up, or claimed again, which incremented `attempts`. */
  const updateClaimed = (mail: QueuedMail, values: Updateable<Row>): Promise<void> =>
    write((trx) => setClaimed(trx, mail, values));

  async function setClaimed(trx: Transaction<Tables>, { id, attempts }: QueuedMail, values: Updateable<Row>) {
    const claimed = trx.updateTable('outbox').where('mail_id', '=', id).where('attempts', '=', attempts);
    await claimed.set(values).where('due_at', 'is not', null).execute();
  }

  const waitingIn = (db: Kysely<Tables>, { kind, isResend }: PriorityClass) =>
    db
      .selectFrom('outbox')
      .where('kind', '=', kind)
      .where('is_part', '=', Number(isResend))
      .where('due_at', 'is not', null);

  /** Returns the first due notice of the highest class with budget left; for a claim, one that is not locked. */
  async function nextDue(db: Kysely<Tables>, lane: MailLane, now: Date, isForClaim = false): Promise<Row | undefined> {
    const schedules = await schedulesIn(db);
    for (const mailClass of classesOf(lane)) {
      if ((await budgetFreeAt(db, mailClass, now)) !== null) continue;
      const due = waitingIn(db, mailClass)
        .selectAll()
        .where(isDue(now))
        .$if(isDaily(schedules, mailClass.kind), (query) => query.where(isInDailyMail(now)))
        .limit(1);
      // Codes that could not be sent are tried again and again: the others do not wait for them.
      const ordered = (lane === 'visitors' ? due.orderBy('attempts') : due).orderBy('due_at');
      const free = ordered.where(isFirstOfMail).forUpdate().skipLocked();
      const row = await (isForClaim ? free : ordered).executeTakeFirst();
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** Returns the next due notice and those that share a mail with it. */
  async function chooseNotices(trx: Transaction<Tables>, lane: MailLane, now: Date): Promise<readonly Row[]> {
    const next = await nextDue(trx, lane, now, true);
    if (next === undefined) return [];
    const { id, kind, mail_id, words } = next;
    if (mail_id !== null) return await claimWhole(trx, mail_id);
    const isOfDay = isDaily(await schedulesIn(trx), kind);
    if (!isReportKind(kind) || (isUnlimited && !isOfDay)) return [next];
    const all = trx.selectFrom('outbox').selectAll().forUpdate().skipLocked();
    const unclaimed = all.where('kind', '=', kind).where('mail_id', 'is', null).where(isDue(now));
    const isLast = await isLastOfBudget(trx, { kind, isResend: false, perHour: mailsPerHour[kind] }, now);
    const equal = words === null ? unclaimed.where('id', '=', id) : unclaimed.where('words', '=', words);
    const joining = isOfDay ? unclaimed.where(isInDailyMail(now)) : isLast ? unclaimed : equal;
    const rows = await joining.orderBy('due_at').limit(noticesPerMail[kind]).execute();
    return fittingOneMail(rows);
  }

  return {
    /** Claims the next mail of a lane: messages first, then the one due longest; null if none is due within budget. */
    async claim(now: Date, leaseUntil: Date, lane: MailLane): Promise<QueuedMail | null> {
      // Reads first, so that an idle outbox takes no write lock.
      if ((await read((db) => nextDue(db, lane, now))) === undefined) return null;
      const hasBudget = !isUnlimited && lane === 'owner';
      const claimed = await write(
        async (trx) => {
          await discardWaitingSecrets(trx, now);
          if (hasBudget) await deferRepeats(trx, now);
          const chosen = await chooseNotices(trx, lane, now);
          if (chosen.length === 0) return { rows: [], expiresAt: null };
          const ids = chosen.map(({ id }) => id);
          const mail_id = chosen[0]?.mail_id ?? newMailId(ids);
          const rows = await trx
            .updateTable('outbox')
            .set({ mail_id, scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString(), last_error: null })
            .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
            .where('id', 'in', ids)
            .returningAll()
            .execute();
          return { rows, expiresAt: await secretExpiry(trx, chosen[0]!) };
        },
        hasBudget ? oneByOne : sharesCommit,
      );
      const { rows, expiresAt } = claimed;
      const [first] = rows.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
      if (first === undefined) return null;
      return {
        id: first.mail_id!,
        notices: rows.map(toNotice),
        attempts: first.attempts,
        createdAt: new Date(first.created_at),
        expiresAt,
      };
    },

    renewLease: (mail: QueuedMail, now: Date, leaseUntil: Date) =>
      updateClaimed(mail, { scheduled_at: now.toISOString(), due_at: leaseUntil.toISOString() }),

    /** Marks a mail sent, and clears a link or code in it; returns false if a notice of it was erased meanwhile. */
    markSent: (mail: QueuedMail, sentAt: Date): Promise<boolean> =>
      write(async (trx) => {
        await setClaimed(trx, mail, {
          due_at: null,
          sent_at: sentAt.toISOString(),
          last_error: null,
          ...(mail.expiresAt !== null && { text: '' }),
        });
        const left = await trx.selectFrom('outbox').select('id').where('mail_id', '=', mail.id).execute();
        return left.length >= mail.notices.length;
      }, sharesCommit),

    /** Ends the lease and makes the mail due again at an instant. */
    defer: (mail: QueuedMail, now: Date, dueAt: Date, error: string) =>
      updateClaimed(mail, { scheduled_at: now.toISOString(), due_at: dueAt.toISOString(), last_error: error }),

    /** Divides the notices of a mail into two mails, due at once; this attempt does not count for them. */
    split: ({ id, attempts }: QueuedMail, now: Date, error: string): Promise<void> =>
      write(async (trx) => {
        const all = trx.selectFrom('outbox').select('id').forUpdate();
        const claimed = all.where('mail_id', '=', id).where('attempts', '=', attempts).where('due_at', 'is not', null);
        // Equal messages stay together: if the server refuses that message, fewer mails are refused.
        const ids = (await claimed.orderBy('words').orderBy('created_at').execute()).map(({ id }) => id);
        const middle = Math.ceil(ids.length / 2);
        const at = now.toISOString();
        // One or both are empty if notices were erased meanwhile, or claimed again after the lease.
        for (const half of [ids.slice(0, middle), ids.slice(middle)].filter(({ length }) => length > 0))
          await trx
            .updateTable('outbox')
            .set({ mail_id: newMailId(half), is_part: 1, attempts: attempts - 1 })
            .set({ scheduled_at: at, due_at: at, last_error: error })
            .where('id', 'in', half)
            .execute();
      }),

    /** Makes the notices of a mail dead letters: stored, but not sent any more. */
    giveUp: (mail: QueuedMail, error: string) => updateClaimed(mail, { due_at: null, last_error: error }),

    /** Deletes the notices of a mail. */
    discard: ({ id, attempts }: QueuedMail): Promise<void> =>
      write(async (trx) => {
        await trx.deleteFrom('outbox').where('mail_id', '=', id).where('attempts', '=', attempts).execute();
      }),

    /** Returns when the next mail of a lane is due within its budget; null if none waits. */
    async nextDueAt(now: Date, lane: MailLane): Promise<Date | null> {
      const instants: number[] = [];
      const schedules = await read(schedulesIn);
      for (const mailClass of classesOf(lane)) {
        const firstDueAt = (isOfDay: boolean) =>
          read((db) =>
            waitingIn(db, mailClass)
              .select((eb) => eb.fn.min('due_at').as('due_at'))
              .$if(isOfDay, (query) => query.where(isInDailyMail(now)))
              .executeTakeFirstOrThrow(),
          );
        const isOfDay = isDaily(schedules, mailClass.kind);
        const { due_at } = await firstDueAt(isOfDay);
        if (due_at !== null) {
          const freeAt = await read((db) => budgetFreeAt(db, mailClass, now));
          instants.push(Math.max(Date.parse(due_at), freeAt?.getTime() ?? 0));
        } else if (isOfDay && (await firstDueAt(false)).due_at !== null) instants.push(dailyMailAt(now, 1).getTime());
      }
      return instants.length === 0 ? null : new Date(Math.min(...instants));
    },
  };
}

/** The maximum size of a mail's text as sent: common servers accept a mail of 2 MB, and the headers need the rest. */
const textBytes = 1_960_000;

/** Returns the first of the notices, as many as fit into one mail; at least one. The longest message takes 0.2 MB. */
function fittingOneMail(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ kind, line, text }) => {
    const entry = kind === 'contact_request' ? `${line}\n${text}` : line;
    // nodemailer inserts a soft line break of three characters after at least 51. A separator has 100 at most.
    bytes += (encode(entry.replaceAll('\n', '\r\n')).length * 54) / 51 + 100;
    return bytes > textBytes;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}

/** Selects one notice of each mail, so that two claims at once lock notices of different mails. */
const isFirstOfMail = sql<SqlBool>`(mail_id is null
  or id = (select min(mate.id) from outbox as mate where mate.mail_id = outbox.mail_id))`;

/** Locks and returns the notices of a mail; none if another process, whose lease has expired, holds one of them. */
async function claimWhole(trx: Transaction<Tables>, mailId: string): Promise<readonly Row[]> {
  const all = trx.selectFrom('outbox').selectAll().where('mail_id', '=', mailId);
  const claimed = await all.forUpdate().skipLocked().execute();
  return claimed.length === (await all.execute()).length ? claimed : [];
}

/** Returns an id for a mail and its Message-ID: that of the notice if there is one alone. */
const newMailId = (ids: readonly string[]): string => (ids.length === 1 ? ids[0]! : randomUUID());

const toNotice = ({
  kind,
  about,
  subject,
  text,
  line,
  words,
  reply_to,
  recipient,
  thread,
  visitor,
  visitor_name,
}: Row): Notice => ({
  kind,
  about,
  subject,
  text,
  line,
  messageHash: words,
  replyTo: reply_to,
  ...(recipient !== null && { recipient }),
  ...(visitor !== null && { visitor: readVisitor(visitor) }),
  ...(visitor_name !== null && { visitorName: visitor_name }),
  ...(thread !== null && { thread: thread.split(' ') }),
});
