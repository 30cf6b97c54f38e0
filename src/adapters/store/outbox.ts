import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import {
  dailyMailAt,
  isReportKind,
  isSecretKind,
  type MailBudget,
  type MailSchedules,
  type Notice,
  type QueuedNotice,
  reportKinds,
  secretKinds,
  type UnsentNotice,
} from '../../model/notice.ts';
import { readVisitor, toVisitorText } from '../../model/visitor.ts';
import { type Access, exclusively, toDate } from './database.ts';
import type { Tables } from './tables.ts';

/** One notice, or several as a digest. The id stays the same over retries; `attempts` includes the current one. */
export interface QueuedMail {
  readonly id: string;
  readonly notices: readonly QueuedNotice[];
  readonly createdAt: Date;
  readonly attempts: number;
}

type Row = Tables['outbox'];
type Wait = Pick<UnsentNotice, 'waitsFor' | 'waitsUntil'>;

/** The transactions whose current work has queued mail. */
const queuedIn = new WeakSet<Transaction<Tables>>();

/** Whether the last work of a transaction has queued mail; false when asked again. */
export const takeQueued = (trx: Transaction<Tables>): boolean => queuedIn.delete(trx);

/** Queues a notice in the transaction that it reports. The sender is woken after the commit. */
export async function queueNotice(
  trx: Transaction<Tables>,
  { replyTo: reply_to, recipient, thread, visitor, visitorName, ...notice }: Notice,
  createdAt: Date,
  id: string = randomUUID(),
): Promise<void> {
  const at = createdAt.toISOString();
  const row = {
    ...{ id, ...notice, reply_to, recipient, thread: thread?.join(' ') || null, visitor_name: visitorName },
    ...{ visitor: visitor && toVisitorText(visitor), created_at: at, scheduled_at: at, due_at: at, attempts: 0 },
  };
  await trx.insertInto('outbox').values(row).execute();
  queuedIn.add(trx);
}

const leaseMilliseconds = 15_000;
const hour = 60 * 60 * 1_000;
/** The maximum number of notices in a digest, so that not all waiting notices are in memory. */
const noticesPerMail = 1_000;

/**
 * The outbox. Only the holder of its lease claims mail. Links and codes come first, then replies, messages and access notices,
 * last failed mail; the last mail about visitors of an hour has all that waits.
 */
export function outboxOf({ read, write, change, database }: Access, mailsPerHour: number) {
  const holder = randomUUID();

  async function takeLease(trx: Transaction<Tables>): Promise<boolean> {
    const now = await database.readClock(trx);
    const endsAt = new Date(now.getTime() + leaseMilliseconds).toISOString();
    const { rows } = await sql`insert into leases (name, holder, ends_at) values ('mail', ${holder}, ${endsAt})
      on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
      where leases.holder = excluded.holder or leases.ends_at <= ${now.toISOString()}
      returning name`.execute(trx);
    return rows.length === 1;
  }

  /** Returns the notices of the next mail; none if no mail is due, or the hour has no room for one. */
  async function nextNotices(db: Kysely<Tables>, now: Date): Promise<readonly Row[]> {
    const schedules = await schedulesIn(db);
    const room = mailsPerHour - (await mailsOfHour(db, now)).length;
    const due = db.selectFrom('outbox').selectAll().where(isDue(now, schedules));
    const waiting = due.where('mail_id', 'is', null);
    const allowed = room < 1 ? waiting.where('kind', 'not in', reportKinds) : waiting;
    // The names of the kinds, sorted in reverse, are in the order of sending.
    const [next] = await allowed.orderBy('kind', 'desc').orderBy('due_at').limit(1).execute();
    if (next === undefined) {
      const [tried] = await due.where('mail_id', 'is not', null).orderBy('due_at').limit(1).execute();
      return tried === undefined ? [] : await due.where('mail_id', '=', tried.mail_id).orderBy('created_at').execute();
    }
    if (!isReportKind(next.kind) || (room > 1 && schedules[next.kind] === 'at_once')) return [next];
    const reports = waiting.where('kind', 'in', reportKinds).orderBy('kind', 'desc').orderBy('due_at');
    return fittingOneMail(await reports.limit(noticesPerMail).execute());
  }

  /** Updates the notices of a mail, unless it was sent or given up. */
  const update = (trx: Transaction<Tables>, { id }: QueuedMail, values: Updateable<Row>) =>
    trx.updateTable('outbox').where('mail_id', '=', id).where('due_at', 'is not', null).set(values);

  return {
    /** Claims the next mail, and the lease; null if there is none to send, or another process has the lease. */
    async claim(now: Date): Promise<QueuedMail | null> {
      // Read first, so that an outbox in which nothing is due takes no write lock.
      if ((await read((db) => nextNotices(db, now))).length === 0) return null;
      return await write(async (trx) => {
        const rows = (await takeLease(trx)) ? await nextNotices(trx, now) : [];
        const [first] = rows;
        if (first === undefined) return null;
        const id = first.mail_id ?? (rows.length === 1 ? first.id : randomUUID());
        const attempts = first.attempts + 1;
        const claimed = trx.updateTable('outbox').set({ mail_id: id, attempts, scheduled_at: now.toISOString() });
        const ids = rows.map((row) => row.id);
        await claimed.set({ last_error: null }).where('id', 'in', ids).execute();
        const createdAt = new Date(rows.map((row) => row.created_at).sort()[0]!);
        return { id, notices: rows.map(toNotice), createdAt, attempts };
      });
    },

    /** Extends the lease by 15 s, unless another process has taken it. */
    renewLease: (): Promise<void> => write(async (trx) => void (await takeLease(trx))),

    releaseLease: (): Promise<void> => change((trx) => trx.deleteFrom('leases').where('holder', '=', holder)),

    /** Marks a mail sent, and clears a link or code in it; returns false if a notice of it was erased meanwhile. */
    markSent: (mail: QueuedMail, sentAt: Date): Promise<boolean> =>
      write(async (trx) => {
        const values = { due_at: null, sent_at: sentAt.toISOString(), last_error: null };
        await update(trx, mail, isSecretKind(mail.notices[0]!.kind) ? { ...values, text: '' } : values).execute();
        const left = await trx.selectFrom('outbox').select('id').where('mail_id', '=', mail.id).execute();
        return left.length >= mail.notices.length;
      }),

    defer: (mail: QueuedMail, dueAt: Date, error: string): Promise<void> =>
      change((trx) => update(trx, mail, { due_at: dueAt.toISOString(), last_error: error })),

    /** Makes the notices of a mail dead letters: stored, but no longer sent. Deletes a mail with a secret. */
    giveUp: (mail: QueuedMail, error: string): Promise<void> =>
      change((trx) =>
        isSecretKind(mail.notices[0]!.kind)
          ? trx.deleteFrom('outbox').where('mail_id', '=', mail.id)
          : update(trx, mail, { due_at: null, last_error: error }),
      ),

    /** Whether a notice to the owner whose last attempt was after an instant has become a dead letter. */
    hasDeadLetterSince: (instant: Date): Promise<boolean> =>
      read(async (db) => {
        const dead = db.selectFrom('outbox').select('id').where('sent_at', 'is', null).where('due_at', 'is', null);
        const recent = dead.where('kind', 'in', reportKinds).where('scheduled_at', '>', instant.toISOString());
        return (await recent.limit(1).executeTakeFirst()) !== undefined;
      }),

    hasWaiting: (): Promise<boolean> =>
      read(async (db) => {
        // A sent notice is never due; the condition lets the index of unsent ones be used.
        const unsent = db.selectFrom('outbox').select('id').where('sent_at', 'is', null);
        const waiting = unsent.where('due_at', 'is not', null);
        return (await waiting.limit(1).executeTakeFirst()) !== undefined;
      }),

    /** Queues the dead letter with the id, or all, again, with their attempts reset; returns how many. */
    retryDead: (now: Date, id?: string): Promise<number> =>
      write(async (trx) => {
        const at = now.toISOString();
        const dead = trx.updateTable('outbox').where('sent_at', 'is', null).where('due_at', 'is', null);
        const queued = (id === undefined ? dead : dead.where('id', '=', id)).set({ mail_id: null, attempts: 0 });
        return (await queued.set({ due_at: at, scheduled_at: at }).returning('id').execute()).length;
      }),

    listUnsent: (now: Date): Promise<UnsentNotice[]> =>
      read(async (db) => {
        const unsent = db.selectFrom('outbox').selectAll().where('sent_at', 'is', null);
        const usable = unsent.where(sql<SqlBool>`not ${isUselessSecret(now.toISOString())}`);
        const rows = await usable.orderBy('created_at').execute();
        const lease = await db.selectFrom('leases').select('ends_at').executeTakeFirst();
        const leaseEndsAt = new Date(lease?.ends_at ?? 0);
        const isSending = leaseEndsAt > (await database.readClock(db));
        const schedules = await schedulesIn(db);
        const freeAt = (await mailsOfHour(db, now)).at(-mailsPerHour) ?? now;

        function waitOf({ kind, mail_id, created_at, attempts, due_at, last_error }: Row): Wait {
          if (due_at === null) return { waitsFor: null, waitsUntil: null };
          if (isSending && attempts > 0 && last_error === null)
            return { waitsFor: 'being_sent', waitsUntil: leaseEndsAt };
          const dueAt = new Date(due_at);
          if (mail_id !== null && dueAt > now) return { waitsFor: 'retry', waitsUntil: dueAt };
          if (mail_id === null && isReportKind(kind)) {
            const dailyAt = dailyMailAt(now, 1);
            if (schedules[kind] === 'daily' && new Date(created_at) > dailyMailAt(now) && dailyAt > freeAt)
              return { waitsFor: 'daily_mail', waitsUntil: dailyAt };
            if (freeAt > now) return { waitsFor: 'hour_used_up', waitsUntil: freeAt };
          }
          return { waitsFor: 'due', waitsUntil: null };
        }

        return rows.map((row) => {
          const { id, kind, attempts, created_at, due_at, last_error: lastError } = row;
          const instants = { createdAt: new Date(created_at), dueAt: toDate(due_at) };
          return { id, kind, attempts, lastError, ...instants, ...waitOf(row) };
        });
      }),

    /** Counts waiting notices and dead letters, without links and codes; `oldestAt` is null if none waits. */
    async state(): Promise<{ waiting: number; dead: number; oldestAt: Date | null }> {
      const { waiting, unsent, oldest } = await read((db) =>
        db
          .selectFrom('outbox')
          .select((eb) => [
            eb.fn.count<number>('due_at').as('waiting'),
            eb.fn.countAll<number>().as('unsent'),
            eb.fn.min('created_at').filterWhere('due_at', 'is not', null).as('oldest'),
          ])
          .where('sent_at', 'is', null)
          .where('kind', 'not in', secretKinds)
          .executeTakeFirstOrThrow(),
      );
      return { waiting, dead: unsent - waiting, oldestAt: toDate(oldest) };
    },

    budget: async (now: Date): Promise<MailBudget> => ({
      used: (await read((db) => mailsOfHour(db, now))).length,
      perHour: mailsPerHour,
    }),

    schedules: (): Promise<MailSchedules> => read(schedulesIn),

    /** Applies to waiting notices as well: if their kind is now sent at once, they are due. */
    setSchedules: (schedules: MailSchedules): Promise<void> =>
      write(async (trx) => {
        await trx.deleteFrom('mail_schedules').execute();
        const rows = reportKinds.map((kind) => ({ kind, schedule: schedules[kind] }));
        await trx.insertInto('mail_schedules').values(rows).execute();
      }, exclusively),
  };
}

/** Selects notices that may be sent: without useless secrets, and notices for the daily e-mail only when it is due. */
function isDue(now: Date, schedules: MailSchedules): RawBuilder<SqlBool> {
  const at = now.toISOString();
  const atOnce = [...secretKinds, 'reply', ...reportKinds.filter((kind) => schedules[kind] === 'at_once')];
  return sql`due_at <= ${at} and not ${isUselessSecret(at)}
    and (kind in (${sql.join(atOnce)}) or mail_id is not null or created_at <= ${dailyMailAt(now).toISOString()})`;
}

/** Selects mails in the outbox whose link or code was used, was ended or has expired. */
export const isUselessSecret = (now: string): RawBuilder<SqlBool> =>
  sql`(kind = 'sign_in' and about not in (select hash from sign_in_links where used_at is null and expires_at > ${now})
    or kind = 'verification_code' and about not in (select request_id from verification_codes where expires_at > ${now}))`;

/** Returns the owner's choice for each kind of report; a kind without a row is sent at once. */
async function schedulesIn(db: Kysely<Tables>): Promise<MailSchedules> {
  const rows = await db.selectFrom('mail_schedules').selectAll().execute();
  const chosen = Object.fromEntries(rows.map(({ kind, schedule }) => [kind, schedule]));
  return { contact_request: 'at_once', auth_request: 'at_once', ...chosen };
}

/** Returns until when mails about visitors count: an hour from the last attempt, so that an outage adds none. */
async function mailsOfHour(db: Kysely<Tables>, now: Date): Promise<readonly Date[]> {
  const { rows } = await sql<Pick<Row, 'kind'> & { readonly at: string }>`
    select max(kind) as kind, max(at) as at from (
      select mail_id, kind, scheduled_at as at from outbox where mail_id is not null and due_at is not null
      union all
      select mail_id, kind, sent_at from outbox
      where mail_id is not null and sent_at > ${new Date(now.getTime() - hour).toISOString()}
    ) as mails group by mail_id order by at`.execute(db);
  // Filtered here because in the query SQLite would look for all notices of a kind, however many there are.
  return rows.filter(({ kind }) => isReportKind(kind)).map(({ at }) => new Date(Date.parse(at) + hour));
}

/** The maximum size of a mail's text. As sent it is at most 3.2 times as long, and common servers accept 2 MB. */
const textBytes = 600_000;

/** Returns the first of the notices, as many as fit into one mail; at least one. */
function fittingOneMail(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ kind, line, text }) => {
    bytes += Buffer.byteLength(kind === 'contact_request' ? text : line);
    return bytes > textBytes;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}

const toNotice = ({ kind, about, subject, text, line, ...row }: Row): QueuedNotice => ({
  ...{ kind, about, subject, text, line },
  replyTo: row.reply_to,
  queuedAt: new Date(row.created_at),
  ...(row.recipient !== null && { recipient: row.recipient }),
  ...(row.visitor !== null && { visitor: readVisitor(row.visitor) }),
  ...(row.visitor_name !== null && { visitorName: row.visitor_name }),
  ...(row.thread !== null && { thread: row.thread.split(' ') }),
});
