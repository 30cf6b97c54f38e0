import type { ExpressionBuilder, Kysely } from 'kysely';
import { scaledCount } from '../model/quota.ts';
import type { Notice } from '../operations/services.ts';
import type { Tables } from './migrations.ts';

/** How many mails an hour tell the owner of each kind of notice, so that neither kind uses up the other's. */
export type MailsPerHour = Readonly<Record<Notice['kind'], number>>;

/** The mails an hour under the setting that multiplies every limit; infinite if that is. */
export const mailsPerHourOf = (multiplier: number): MailsPerHour => ({
  contact_request: scaledCount(20, multiplier),
  auth_request: scaledCount(10, multiplier),
});

export const unlimitedMails: MailsPerHour = mailsPerHourOf(Number.POSITIVE_INFINITY);

const hour = 60 * 60 * 1_000;
export const hourAfter = (instant: Date): Date => new Date(instant.getTime() + hour);

/** Selects what was sent within the hour before `now`. A later `sent_at` is from before the clock was set back. */
export const isSentWithinHour = (now: Date) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.and([eb('sent_at', '>', new Date(now.getTime() - hour).toISOString()), eb('sent_at', '<=', now.toISOString())]);

/** Returns when the mails of this kind that went out within the hour were sent, the oldest first. */
export async function sentWithinHour(db: Kysely<Tables>, kind: Notice['kind'], now: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['mail_id', eb.fn.max('sent_at').as('sent_at')])
    .where('kind', '=', kind)
    .where(isSentWithinHour(now))
    .groupBy('mail_id')
    .orderBy('sent_at')
    .execute();
  return rows.map(({ sent_at }) => new Date(sent_at!));
}

/** Returns when another mail may go out; null if one may now. */
export async function freeAt(
  db: Kysely<Tables>,
  kind: Notice['kind'],
  perHour: number,
  now: Date,
): Promise<Date | null> {
  if (perHour === Number.POSITIVE_INFINITY) return null;
  const sent = await sentWithinHour(db, kind, now);
  return sent.length < perHour ? null : hourAfter(sent.at(-perHour)!);
}
