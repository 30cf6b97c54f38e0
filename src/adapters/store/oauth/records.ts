import type { Transaction } from 'kysely';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';

/** A record under the hash of its secret; the payload is JSON. */
export interface OauthRecord {
  readonly id: string;
  readonly grantId: string | null;
  readonly canonicalSubject: string | null;
  readonly payload: string;
  readonly expiresAt: Date;
}

/** What was stored, and when it was used; null if it was not. */
export type FoundRecord = Pick<OauthRecord, 'payload' | 'expiresAt'> & { readonly consumedAt: Date | null };

/** What the authorization server keeps for a while: requests under way, codes, refresh tokens. */
export function oauthRecordsOf(read: Read, write: Write) {
  return {
    /**
     * Stores a record, or replaces it. Returns false, and stores nothing, if its grant has ended. A request under way, which has no
     * grant, may end the oldest ones.
     */
    putOauthRecord: (record: OauthRecord, now: Date): Promise<boolean> =>
      write(async (trx) => {
        if (record.grantId !== null && !(await isGranted(trx, record.grantId, now))) return false;
        await putRecord(trx, record);
        if (record.grantId === null) await eraseOldestRequests(trx);
        return true;
      }),

    async findOauthRecord(id: string, now: Date): Promise<FoundRecord | null> {
      const row = await read((db) =>
        db
          .selectFrom('oauth_records')
          .select(['payload', 'consumed_at', 'expires_at'])
          .where('id', '=', id)
          .where('expires_at', '>', now.toISOString())
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      const consumedAt = row.consumed_at === null ? null : new Date(row.consumed_at);
      return { payload: row.payload, expiresAt: new Date(row.expires_at), consumedAt };
    },

    removeOauthRecord: (id: string): Promise<void> =>
      write(async (trx) => {
        await trx.deleteFrom('oauth_records').where('id', '=', id).execute();
      }),
  };
}

/** How many requests may be under way. Anybody can begin one; each takes up to 4 KB, half an hour long. */
const mostRequests = 10_000;

/**
 * Erases the requests under way that are too many, the oldest first: to refuse new ones instead would let one sender stop all visitors.
 * Those for which a visitor has typed an address, which is limited, go last.
 */
async function eraseOldestRequests(trx: Transaction<Tables>): Promise<void> {
  const requests = trx.selectFrom('oauth_records').where('grant_id', 'is', null);
  const { count } = await requests.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  if (Number(count) <= mostRequests) return;
  const oldest = requests
    .select('id')
    .orderBy((eb) => eb('canonical_subject', 'is not', null))
    .orderBy('expires_at')
    .limit(Number(count) - mostRequests);
  await trx.deleteFrom('oauth_records').where('id', 'in', oldest).execute();
}

/** Stores a record, or replaces it. */
export async function putRecord(trx: Transaction<Tables>, record: OauthRecord): Promise<void> {
  const { id, grantId, canonicalSubject, payload, expiresAt } = record;
  const changing = { payload, canonical_subject: canonicalSubject, expires_at: expiresAt.toISOString() };
  await trx
    .insertInto('oauth_records')
    .values({ id, grant_id: grantId, consumed_at: null, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
}

/** Whether a grant has not ended; no work that ends it runs at the same time. */
export async function isGranted(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const grant = trx.selectFrom('oauth_grants').select('id').where('id', '=', id);
  return (await grant.where('expires_at', '>', now.toISOString()).executeTakeFirst()) !== undefined;
}
