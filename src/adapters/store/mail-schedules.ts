import type { ExpressionBuilder, Kysely } from 'kysely';
import { dailyMailAt, type MailSchedules, type Notice, reportKinds } from '../../model/notice.ts';
import type { Read, Write } from './database.ts';
import { clockToleranceMilliseconds } from './due-mail.ts';
import type { Tables } from './tables.ts';

/** The owner's choice for each kind of notice; a kind without a row is sent at once. */
export function mailSchedulesOf(read: Read, write: Write) {
  return {
    schedules: (): Promise<MailSchedules> => read(schedulesIn),

    /** Applies to notices that wait, too: those of a kind that is sent at once from now on are due. */
    setSchedules: (schedules: MailSchedules): Promise<void> =>
      write(async (trx) => {
        const rows = reportKinds.map((kind) => ({ kind, schedule: schedules[kind] }));
        await trx
          .insertInto('mail_schedules')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('kind').doUpdateSet((eb) => ({ schedule: eb.ref('excluded.schedule') })),
          )
          .execute();
      }),
  };
}

export async function schedulesIn(db: Kysely<Tables>): Promise<MailSchedules> {
  const rows = await db.selectFrom('mail_schedules').selectAll().execute();
  const chosen = Object.fromEntries(rows.map(({ kind, schedule }) => [kind, schedule]));
  return { contact_request: 'at_once', auth_request: 'at_once', ...chosen };
}

/** Whether notices of a kind are kept for a daily e-mail. */
export const isDaily = (schedules: MailSchedules, kind: Notice['kind']): boolean =>
  (schedules as Partial<Record<Notice['kind'], string>>)[kind] === 'daily';

/** Selects the notices of the latest daily e-mail, and those that are in a mail already. */
export function isInDailyMail(now: Date) {
  const tolerated = new Date(now.getTime() + clockToleranceMilliseconds);
  return (eb: ExpressionBuilder<Tables, 'outbox'>) =>
    eb.or([
      eb('mail_id', 'is not', null),
      eb('created_at', '<=', dailyMailAt(now).toISOString()),
      // One from the future was queued before the clock was set back; it would wait until then.
      eb('created_at', '>', tolerated.toISOString()),
    ]);
}
