import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import {
  isSecretKind,
  type Notice,
  type ReportKind,
  reportKinds,
  type SecretKind,
  secretKinds,
} from '../../model/notice.ts';
import { codeSeconds } from '../../model/oauth.ts';
import { scaledCount } from '../../model/quota.ts';
import { linkSeconds } from '../../model/sign-in.ts';
import type { Tables } from './tables.ts';

/** The mails an hour to the owner, by kind, so that neither kind uses up the other's budget. */
export type MailsPerHour = Readonly<Record<ReportKind, number>>;

/** Returns the hourly budgets, multiplied by the setting LIMITS; infinite if LIMITS is. */
export const mailsPerHourOf = (multiplier: number): MailsPerHour => ({
  contact_request: scaledCount(20, multiplier),
  auth_request: scaledCount(10, multiplier),
});

export const unlimitedMails: MailsPerHour = mailsPerHourOf(Number.POSITIVE_INFINITY);

/** Notices that share an hourly budget; `isResend` selects halves of refused mails and retried dead letters. */
export interface PriorityClass {
  readonly kind: Notice['kind'];
  readonly isResend: boolean;
  readonly perHour: number;
}

/** Each lane is sent on its own: anybody can name an address whose mail server is slow. */
export type MailLane = 'owner' | 'visitors';

/** Returns the lane of a kind of notice: codes and replies go to visitors, all else to the owner. */
export const laneOf = (kind: Notice['kind']): MailLane =>
  kind === 'verification_code' || kind === 'reply' ? 'visitors' : 'owner';

const resendsPerHour = 20;

/** Returns the classes by priority: links to sign in, codes, replies, messages, access notices; resends come first. */
export const priorityClassesOf = (mailsPerHour: MailsPerHour): readonly PriorityClass[] => [
  // Without a budget: the quota of the requests bounds them.
  ...secretKinds.map((kind) => ({ kind, isResend: false, perHour: Number.POSITIVE_INFINITY })),
  ...[true, false].map((isResend) => ({ kind: 'reply' as const, isResend, perHour: Number.POSITIVE_INFINITY })),
  ...reportKinds.flatMap((kind) => [
    { kind, isResend: true, perHour: Number.isFinite(mailsPerHour[kind]) ? resendsPerHour : Number.POSITIVE_INFINITY },
    { kind, isResend: false, perHour: mailsPerHour[kind] },
  ]),
];

const hour = 60 * 60 * 1_000;
const hourAfter = (instant: string): Date => new Date(Date.parse(instant) + hour);

/** Selects rows sent within the hour before `now`. A later `sent_at` is from before the clock was set back. */
const isSentWithinHour = (now: Date) => (eb: ExpressionBuilder<Tables, 'outbox'>) =>
  eb.and([eb('sent_at', '>', new Date(now.getTime() - hour).toISOString()), eb('sent_at', '<=', now.toISOString())]);

/** How far ahead another process's clock may be. After a clock is set back, mail is delayed by under 1 min. */
export const clockToleranceMilliseconds = 45_000;

const longestLeaseMilliseconds = 60 * 1_000;

/** Selects rows of mails that are being sent: claimed, under a lease that has not ended. */
function isBeingSent(now: Date) {
  const isoAfter = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  return (eb: ExpressionBuilder<Tables, 'outbox'>) =>
    eb.and([
      eb('due_at', '>', now.toISOString()),
      eb('due_at', '<=', isoAfter(longestLeaseMilliseconds)),
      eb('scheduled_at', '<=', isoAfter(clockToleranceMilliseconds)),
      eb('attempts', '>', 0),
      eb('last_error', 'is', null),
    ]);
}

/** Selects notices that may be claimed, or claimed again. */
export function isDue(now: Date) {
  const tolerated = new Date(now.getTime() + clockToleranceMilliseconds);
  return (eb: ExpressionBuilder<Tables, 'outbox'>) =>
    eb.and([
      eb('due_at', 'is not', null),
      // A row scheduled in the future was scheduled before the clock was set back, so it is due now.
      eb.or([eb('due_at', '<=', now.toISOString()), eb('scheduled_at', '>', tolerated.toISOString())]),
    ]);
}

/** Returns when each mail of a class was sent within the last hour, oldest first; one being sent counts as sent. */
export async function sentWithinHour(
  db: Kysely<Tables>,
  { kind, isResend }: PriorityClass,
  now: Date,
): Promise<string[]> {
  const all = db.selectFrom('outbox').where('kind', '=', kind).where('is_part', '=', Number(isResend));
  const sent = all.select(['mail_id', 'sent_at']).where(isSentWithinHour(now));
  const beingSent = all.select(['mail_id', 'scheduled_at as sent_at']).where(isBeingSent(now));
  const rows = await db
    .selectFrom(sent.unionAll(beingSent).as('mails'))
    .select((eb) => ['mail_id', eb.fn.max('sent_at').as('sent_at')])
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

// With the first columns of the index of waiting notices, so that it finds the few being sent, however many wait.
const messagesIn = (db: Kysely<Tables>) =>
  db.selectFrom('outbox').where('kind', '=', 'contact_request').where('is_part', 'in', [0, 1]);

/** Returns, by its hash, when each message sent within the last hour or being sent may be sent again. */
export async function repeatableAtByHash(db: Kysely<Tables>, now: Date): Promise<ReadonlyMap<string | null, Date>> {
  const all = messagesIn(db).groupBy('words').select('words as messageHash');
  const beingSent = all.select((eb) => eb.fn.max('due_at').as('due_at')).where(isBeingSent(now));
  const sent = all.select((eb) => eb.fn.max('sent_at').as('sent_at')).where(isSentWithinHour(now));
  return new Map([
    ...(await beingSent.execute()).map(({ messageHash, due_at }) => [messageHash, new Date(due_at!)] as const),
    ...(await sent.execute()).map(({ messageHash, sent_at }) => [messageHash, hourAfter(sent_at!)] as const),
  ]);
}

/**
 * Defers due notices whose message was sent within the hour to the end of that hour; then they are sent together.
 * Those whose message is being sent wait for the end of the lease.
 */
export async function deferRepeats(trx: Transaction<Tables>, now: Date): Promise<void> {
  const all = messagesIn(trx).select('words');
  const sent = all.where(isSentWithinHour(now)).unionAll(all.where(isBeingSent(now)));
  const due = trx.selectFrom('outbox').select(['id', 'words']).where('mail_id', 'is', null).where(isDue(now));
  const repeats = await due.where('words', 'in', sent).forUpdate().skipLocked().execute();
  if (repeats.length === 0) return;
  const repeatableAt = await repeatableAtByHash(trx, now);
  for (const { id, words } of repeats) {
    const dueAt = repeatableAt.get(words);
    if (dueAt === undefined) continue; // another process has recorded since that it could not be sent
    const schedule = { scheduled_at: now.toISOString(), due_at: dueAt.toISOString() };
    await trx.updateTable('outbox').set(schedule).where('id', '=', id).execute();
  }
}

/** Deletes the mails that wait to be sent and whose secret was used or ended or has expired. */
export async function discardWaitingSecrets(trx: Transaction<Tables>, now: Date): Promise<void> {
  for (const kind of secretKinds) {
    const waiting = useless(trx, kind, now).select('id').where('due_at', 'is not', null);
    await trx.deleteFrom('outbox').where('id', 'in', waiting.forUpdate().skipLocked()).execute();
  }
}

/** Deletes the mails, sent or not, whose secret was used or ended or has expired; returns their ids. */
export async function eraseSecretMails(trx: Transaction<Tables>, now: Date) {
  const mails: { readonly mail_id: string | null }[] = [];
  for (const kind of secretKinds) {
    const erased = trx.deleteFrom('outbox').where('id', 'in', useless(trx, kind, now).select('id'));
    mails.push(...(await erased.returning('mail_id').execute()));
  }
  return mails;
}

/** Returns when the secret that a mail holds expires; null if it was ended, or the mail holds none. */
export async function secretExpiry(
  trx: Transaction<Tables>,
  { kind, about }: Pick<Notice, 'kind' | 'about'>,
): Promise<Date | null> {
  if (!isSecretKind(kind)) return null;
  const secrets =
    kind === 'sign_in'
      ? trx.selectFrom('sign_in_links').select('expires_at').where('hash', '=', about)
      : trx.selectFrom('verification_codes').select('expires_at').where('request_id', '=', about);
  const secret = await secrets.executeTakeFirst();
  return secret === undefined ? null : new Date(secret.expires_at);
}

function useless(trx: Transaction<Tables>, kind: SecretKind, now: Date) {
  const mails = trx.selectFrom('outbox').where('kind', '=', kind);
  const links = trx.selectFrom('sign_in_links').select('hash').where(isUsable(now));
  const codes = trx.selectFrom('verification_codes').select('request_id').where(isCurrent(now, codeSeconds));
  return kind === 'sign_in' ? mails.where('about', 'not in', links) : mails.where('about', 'not in', codes);
}

// How far a clock may be set back before what it dated counts as expired.
const clockToleranceSeconds = 60;

/** Whether a secret is valid. One that expires later than a new one would was made before the clock was set back. */
export function isCurrent(now: Date, seconds: number) {
  const latest = new Date(now.getTime() + (seconds + clockToleranceSeconds) * 1_000);
  return (eb: ExpressionBuilder<Tables, 'sign_in_links' | 'desk_sessions' | 'page_sessions' | 'verification_codes'>) =>
    eb.and([eb('expires_at', '>', now.toISOString()), eb('expires_at', '<=', latest.toISOString())]);
}

/** Whether a link can still be used. */
export const isUsable = (now: Date) => (eb: ExpressionBuilder<Tables, 'sign_in_links'>) =>
  eb.and([eb('used_at', 'is', null), isCurrent(now, linkSeconds)(eb)]);
