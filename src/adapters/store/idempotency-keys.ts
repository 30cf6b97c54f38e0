import type { Kysely, Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { IdempotencyClaim } from '../../operations/ports.ts';
import type { Tables } from './tables.ts';

const day = 24 * 60 * 60 * 1_000;

/** Returns the cut-off: keys stored then or before have expired. */
export const keysExpiredAt = (now: Date): string => new Date(now.getTime() - day).toISOString();

/**
 * Claims the key for a contact request and returns `contactId`, or the id of the request that holds the key already, unless that
 * has expired. The write lock serializes claims. Throws `IDEMPOTENCY_MISMATCH` if the fingerprints differ.
 */
export async function claimKey(
  trx: Transaction<Tables>,
  subject: string,
  { key, fingerprint }: IdempotencyClaim,
  contactId: string,
  now: Date,
): Promise<string> {
  const row = { subject, key, fingerprint, contact_id: contactId, created_at: now.toISOString() };
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'key'])
        .doUpdateSet(row)
        .where('idempotency_keys.created_at', '<=', keysExpiredAt(now)),
    )
    .returning('contact_id')
    .executeTakeFirst();
  if (claimed) return contactId;
  const holder = await trx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'contact_id'])
    .where('subject', '=', subject)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (holder.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_MISMATCH');
  return holder.contact_id;
}

/** Whether a contact request of the subject holds the key, and the key has not expired. */
export async function hasKey(db: Kysely<Tables>, subject: string, key: string, now: Date): Promise<boolean> {
  const holder = await db
    .selectFrom('idempotency_keys')
    .select('contact_id')
    .where('subject', '=', subject)
    .where('key', '=', key)
    .where('created_at', '>', keysExpiredAt(now))
    .executeTakeFirst();
  return holder !== undefined;
}
