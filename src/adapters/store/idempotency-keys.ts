import type { Kysely, Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { IdempotencyClaim } from '../../operations/ports.ts';
import type { Tables } from './migrations.ts';

const day = 24 * 60 * 60 * 1_000;

/** Returns the instant before which, or at which, a key was stored if it has expired by now. */
export const keysExpiredAt = (now: Date): string => new Date(now.getTime() - day).toISOString();

/**
 * Stores the key of a contact request, unless another request of the subject has it: returns the id of the request that does.
 * The primary key decides a race: the loser waits for the winner's transaction and reads its request.
 * Throws `IDEMPOTENCY_MISMATCH` if the fingerprints differ.
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

/** Whether a contact request of the subject was stored under the key, which has not expired. */
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
