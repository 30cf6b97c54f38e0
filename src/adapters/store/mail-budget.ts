import type { ExpressionBuilder, Kysely } from 'kysely';
import { scaledCount } from '../../model/quota.ts';
import type { Notice } from '../../operations/ports.ts';
import type { Tables } from './migrations.ts';

/** How many mails an hour tell the owner of each kind of notice, so that neither kind uses up the other's. */
export type MailsPerHour = Readonly<Record<Notice['kind'], number>>;

/** The mails an hour under the setting that multiplies every limit; infinite if that is. */
export const mailsPerHourOf = (multiplier: number): MailsPerHour => ({
  contact_request: scaledCount(20, multiplier),
  auth_request: scaledCount(10, multiplier),
});

export const unlimitedMails: MailsPerHour = mailsPerHourOf(Number.POSITIVE_INFINITY);

/** Notices that go out within the same number of mails an hour; `isPart` selects parts of refused mails and retried dead letters. */
export interface Lane {
  readonly kind: Notice['kind'];
  readonly isPart: boolean;
  readonly perHour: number;
}

/** How many mails an hour parts may make besides the others, which wait for none of them. */
const partsPerHour = 20;

/** Returns the lanes in the order in which they are served: messages before access notices, parts before others. */
export const lanesOf = (mailsPerHour: MailsPerHour): readonly Lane[] =>
  (['contact_request', 'auth_request'] as const).flatMap((kind) => [
    { kind, isPart: true, perHour: Number.isFinite(mailsPerHour[kind]) ? partsPerHour : Number.POSITIVE_INFINITY },
    { kind, isPart: false, perHour: mailsPerHour[kind] },
  ]);

const hour = 60 * 60 * 1_000;
const hourAfter = (instant: string): Date => new Date(Date.parse(instant) + hour);

/** Selects what was sent within the hour before `now`. A later `sent_at` is from before the clock was set back. */
const isSentWithinHour = (now: Date) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.and([eb('sent_at', '>', new Date(now.getTime() - hour).toISOString()), eb('sent_at', '<=', now.toISOString())]);

/** Returns when the mails of a lane that went out within the hour were sent, the oldest first. */
async function sentWithinHour(db: Kysely<Tables>, { kind, isPart }: Lane, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['mail_id', eb.fn.max('sent_at').as('sent_at')])
    .where('kind', '=', kind)
    .where('is_part', '=', Number(isPart))
    .where(isSentWithinHour(now))
    .groupBy('mail_id')
    .orderBy('sent_at')
    .execute();
  return rows.map(({ sent_at }) => sent_at!);
}

/** Returns when another mail of the lane may go out; null if one may now. */
export async function freeAt(db: Kysely<Tables>, lane: Lane, now: Date): Promise<Date | null> {
  const { perHour } = lane;
  if (perHour === Number.POSITIVE_INFINITY) return null;
  const sent = await sentWithinHour(db, lane, now);
  return sent.length < perHour ? null : hourAfter(sent.at(-perHour)!);
}

/** Whether one more mail of the lane uses up the hour. */
export const isLastOfHour = async (db: Kysely<Tables>, lane: Lane, now: Date) =>
  (await sentWithinHour(db, lane, now)).length === lane.perHour - 1;

/** Returns the words that were sent within the hour, each with when they may be sent again. */
export async function wordsSentWithinHour(db: Kysely<Tables>, now: Date): Promise<[words: string, againAt: Date][]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['words', eb.fn.max('sent_at').as('sent_at')])
    .where('words', 'is not', null)
    .where(isSentWithinHour(now))
    .groupBy('words')
    .execute();
  return rows.map(({ words, sent_at }) => [words!, hourAfter(sent_at!)]);
}
