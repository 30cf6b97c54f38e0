import {
  dailyMailAt,
  type MailBudget,
  reportKinds,
  secretKinds,
  type UnsentNotice,
  type WaitReason,
} from '../../model/notice.ts';
import type { Read, Write } from './database.ts';
import { budgetFreeAt, type MailsPerHour, priorityClassesOf, repeatableAtByHash, sentWithinHour } from './due-mail.ts';
import { isDaily, schedulesIn } from './mail-schedules.ts';
import type { Tables } from './tables.ts';

const columns = [
  ...(['id', 'kind', 'words', 'mail_id', 'is_part', 'created_at', 'attempts', 'due_at', 'last_error'] as const),
];

type Row = Pick<Tables['outbox'], (typeof columns)[number]>;

/** The notices that have not been sent, as the owner and the probes see them: those that wait, and dead letters. */
export function unsentNoticesOf(read: Read, write: Write, mailsPerHour: MailsPerHour) {
  return {
    /** Returns those that wait and dead letters, the oldest first. */
    async listUnsent(now: Date): Promise<UnsentNotice[]> {
      const rows: Row[] = await read((db) =>
        db.selectFrom('outbox').select(columns).where('sent_at', 'is', null).orderBy('created_at').execute(),
      );
      const classes = await Promise.all(
        priorityClassesOf(mailsPerHour).map(async (one) => ({
          ...one,
          freeAt: await read((db) => budgetFreeAt(db, one, now)),
        })),
      );
      const repeatableAt = await read((db) => repeatableAtByHash(db, now));
      const schedules = await read(schedulesIn);

      function waitOf({
        kind,
        words,
        mail_id,
        is_part,
        created_at,
        attempts,
        due_at,
        last_error,
      }: Row): [WaitReason, Date | null] {
        const dueAt = new Date(due_at!);
        const isLater = dueAt > now;
        if (isLater && attempts > 0 && last_error === null) return ['being_sent', dueAt];
        const mailClass = classes.find((one) => one.kind === kind && one.isResend === (is_part === 1));
        const isForNextDay = isDaily(schedules, kind) && mail_id === null && new Date(created_at) > dailyMailAt(now);
        const repeatAt = isLater ? dueAt : repeatableAt.get(words);
        const waits: [WaitReason, Date | null | undefined][] = [
          mail_id === null ? ['same_words', repeatAt] : ['retry', isLater ? dueAt : null],
          ['hour_used_up', mailClass?.freeAt],
          ['daily_mail', isForNextDay ? dailyMailAt(now, 1) : null],
        ];
        let longest: [WaitReason, Date | null] = ['due', null];
        for (const [reason, until] of waits)
          if (until != null && until > (longest[1] ?? now)) longest = [reason, until];
        return longest;
      }

      return rows.map((row) => {
        const [waitsFor, waitsUntil] = row.due_at === null ? [null, null] : waitOf(row);
        return {
          id: row.id,
          kind: row.kind,
          createdAt: new Date(row.created_at),
          attempts: row.attempts,
          dueAt: row.due_at === null ? null : new Date(row.due_at),
          lastError: row.last_error,
          waitsFor,
          waitsUntil,
        };
      });
    },

    /** Counts those that wait and dead letters, without links and codes; `oldestAt` is null if none waits. */
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
      return { waiting, dead: unsent - waiting, oldestAt: oldest === null ? null : new Date(oldest) };
    },

    /** Returns how much of the hourly budget of each kind is used, messages first. */
    budgets: (now: Date): Promise<MailBudget[]> =>
      read((db) =>
        Promise.all(
          reportKinds.map(async (kind) => {
            const perHour = mailsPerHour[kind];
            return { kind, perHour, sent: (await sentWithinHour(db, { kind, isResend: false, perHour }, now)).length };
          }),
        ),
      ),

    /** Returns when the latest notice was queued, by a token or contact request; null if none is stored. */
    async latestAt(): Promise<Date | null> {
      const { latest } = await read((db) =>
        db
          .selectFrom('outbox')
          .select((eb) => eb.fn.max('created_at').as('latest'))
          .executeTakeFirstOrThrow(),
      );
      return latest === null ? null : new Date(latest);
    },

    /** Whether a notice to the owner whose last attempt was after this instant has become a dead letter. */
    async hasDeadLetterSince(instant: Date): Promise<boolean> {
      const found = await read((db) => {
        const dead = db.selectFrom('outbox').select('id').where('sent_at', 'is', null).where('due_at', 'is', null);
        return dead
          .where('kind', 'in', reportKinds)
          .where('scheduled_at', '>', instant.toISOString())
          .limit(1)
          .executeTakeFirst();
      });
      return found !== undefined;
    },

    /** Makes the dead letter with the id, or all, due again, each as a new mail without attempts; returns how many. */
    retryDead: (now: Date, id?: string): Promise<number> =>
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
