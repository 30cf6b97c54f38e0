import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import { isUsable } from './validity.ts';

/** Deletes the mails that wait to be sent and whose link was used or ended or has expired. */
export async function discardWaitingSignInMails(trx: Transaction<Tables>, now: Date): Promise<void> {
  const waiting = useless(trx, now).select('id').where('due_at', 'is not', null);
  await trx.deleteFrom('outbox').where('id', 'in', waiting.forUpdate().skipLocked()).execute();
}

/** Deletes the mails, sent or not, whose link was used or ended or has expired; returns their ids, for `removeMailFiles`. */
export const eraseSignInMails = (trx: Transaction<Tables>, now: Date) =>
  trx.deleteFrom('outbox').where('id', 'in', useless(trx, now).select('id')).returning('mail_id').execute();

/** Returns when a link expires; null if it was ended. */
export async function linkExpiry(trx: Transaction<Tables>, hash: string): Promise<Date | null> {
  const link = await trx.selectFrom('sign_in_links').select('expires_at').where('hash', '=', hash).executeTakeFirst();
  return link === undefined ? null : new Date(link.expires_at);
}

const useless = (trx: Transaction<Tables>, now: Date) =>
  trx
    .selectFrom('outbox')
    .where('kind', '=', 'sign_in')
    .where('about', 'not in', trx.selectFrom('sign_in_links').select('hash').where(isUsable(now)));
