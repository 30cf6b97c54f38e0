import type { ExpressionBuilder, Transaction } from 'kysely';
import { isSecretKind, type Notice, type SecretKind, secretKinds } from '../../model/notice.ts';
import { codeSeconds } from '../../model/oauth.ts';
import { linkSeconds } from '../../model/sign-in.ts';
import type { Tables } from './tables.ts';

/** Deletes the mails that wait to be sent and whose secret was used or ended or has expired. */
export async function discardWaitingSecrets(trx: Transaction<Tables>, now: Date): Promise<void> {
  for (const kind of secretKinds) {
    const waiting = useless(trx, kind, now).select('id').where('due_at', 'is not', null);
    await trx.deleteFrom('outbox').where('id', 'in', waiting.forUpdate().skipLocked()).execute();
  }
}

/** Deletes the mails, sent or not, whose secret was used or ended or has expired; returns their ids, for `removeMailFiles`. */
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
  return (eb: ExpressionBuilder<Tables, 'sign_in_links' | 'desk_sessions' | 'verification_codes'>) =>
    eb.and([eb('expires_at', '>', now.toISOString()), eb('expires_at', '<=', latest.toISOString())]);
}

/** Whether a link can still be used. */
export const isUsable = (now: Date) => (eb: ExpressionBuilder<Tables, 'sign_in_links'>) =>
  eb.and([eb('used_at', 'is', null), isCurrent(now, linkSeconds)(eb)]);
