import type { ExpressionBuilder, Kysely } from 'kysely';
import { scaledCount } from '../../model/quota.ts';
import type { Notice } from '../../operations/ports.ts';
import type { Tables } from './tables.ts';

/** How many mails an hour the owner receives of each kind that visitors cause, so that neither kind uses up the other's budget. */
export type MailsPerHour = Readonly<Record<Exclude<Notice['kind'], 'sign_in'>, number>>;

/** Returns the hourly budgets, multiplied by the setting LIMITS; infinite if LIMITS is. */
export const mailsPerHourOf = (multiplier: number): MailsPerHour => ({
  contact_request: scaledCount(20, multiplier),
  auth_request: scaledCount(10, multiplier),
});

export const unlimitedMails: MailsPerHour = mailsPerHourOf(Number.POSITIVE_INFINITY);

/** Notices that share one hourly budget of mails; `isResend` selects halves of refused mails and retried dead letters. */
export interface PriorityClass {
  readonly kind: Notice['kind'];
  readonly isResend: boolean;
  readonly perHour: number;
}

const resendsPerHour = 20;

/** Returns the classes, the highest priority first: links to sign in, messages, access notices; resends before other mails. */
export const priorityClassesOf = (mailsPerHour: MailsPerHour): readonly PriorityClass[] => [
  // Without a budget: the quota of the requests bounds them.
  { kind: 'sign_in', isResend: false, perHour: Number.POSITIVE_INFINITY },
  ...(['contact_request', 'auth_request'] as const).flatMap((kind) => [
    { kind, isResend: true, perHour: Number.isFinite(mailsPerHour[kind]) ? resendsPerHour : Number.POSITIVE_INFINITY },
    { kind, isResend: false, perHour: mailsPerHour[kind] },
  ]),
];

const hour = 60 * 60 * 1_000;
const hourAfter = (instant: string): Date => new Date(Date.parse(instant) + hour);

/** Selects rows sent within the hour before `now`. A later `sent_at` is from before the clock was set back. */
export const isSentWithinHour = (now: Date) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.and([eb('sent_at', '>', new Date(now.getTime() - hour).toISOString()), eb('sent_at', '<=', now.toISOString())]);

/** Returns when each mail of a class was sent within the last hour, the oldest first. */
export async function sentWithinHour(
  db: Kysely<Tables>,
  { kind, isResend }: PriorityClass,
  now: Date,
): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['mail_id', eb.fn.max('sent_at').as('sent_at')])
    .where('kind', '=', kind)
    .where('is_part', '=', Number(isResend))
    .where(isSentWithinHour(now))
    .groupBy('mail_id')
    .orderBy('sent_at')
    .execute();
  return rows.map(({ sent_at }) => sent_at!);
}

/** Returns when the budget of a class allows another mail; null if it does now. */
export async function budgetFreeAt(db: Kysely<Tables>, mailClass: PriorityClass, now: Date): Promise<Date | null> {
  const { perHour } = mailClass;
  if (perHour === Number.POSITIVE_INFINITY) return null;
  const sent = await sentWithinHour(db, mailClass, now);
  return sent.length < perHour ? null : hourAfter(sent.at(-perHour)!);
}

/** Whether one more mail uses up the hourly budget of its class. */
export const isLastOfBudget = async (db: Kysely<Tables>, mailClass: PriorityClass, now: Date) =>
  (await sentWithinHour(db, mailClass, now)).length === mailClass.perHour - 1;

/** Returns the hash of each message that was sent within the last hour, with when the same message may be sent again. */
export async function repeatableAtByHash(db: Kysely<Tables>, now: Date): Promise<ReadonlyMap<string | null, Date>> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => ['words as messageHash', eb.fn.max('sent_at').as('sent_at')])
    .where('words', 'is not', null)
    .where(isSentWithinHour(now))
    .groupBy('words')
    .execute();
  return new Map(rows.map(({ messageHash, sent_at }) => [messageHash, hourAfter(sent_at!)]));
}
