import type { Transaction } from 'kysely';
import type { QuotaCharge } from '../../../model/quota.ts';
import type { Read, Write } from '../database.ts';
import { countUses } from '../quota-windows.ts';
import type { Tables } from '../tables.ts';

// A client that registers asks for a visitor's consent at once.
const unusedMilliseconds = 24 * 60 * 60 * 1_000;
// Programs keep their id, and do not register again by themselves.
const usedMilliseconds = 90 * 24 * 60 * 60 * 1_000;

/** The clients that have registered themselves (RFC 7591). */
export function oauthClientsOf(read: Read, write: Write) {
  return {
    /** Stores a client, as JSON, and counts the charges. Throws `RATE_LIMITED` if a quota is used up. */
    addOauthClient: (id: string, metadata: string, charges: readonly QuotaCharge[], now: Date): Promise<void> =>
      write(async (trx) => {
        await countUses(trx, charges, now);
        const row = { id, metadata, registered_at: now.toISOString(), used_at: null };
        await trx.insertInto('oauth_clients').values(row).execute();
      }),

    /** Returns a client, as JSON. */
    async findOauthClient(id: string): Promise<string | undefined> {
      const row = await read((db) =>
        db.selectFrom('oauth_clients').select('metadata').where('id', '=', id).executeTakeFirst(),
      );
      return row?.metadata;
    },
  };
}

/** Erases clients that nobody has allowed anything for a day, or for 90 days after somebody had; not those that have a grant. */
export async function eraseUnusedClients(trx: Transaction<Tables>, now: Date, limit: number): Promise<number> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  const unused = trx
    .selectFrom('oauth_clients as client')
    .select('client.id')
    .where('client.registered_at', '<', before(unusedMilliseconds))
    .where((eb) => eb.or([eb('client.used_at', 'is', null), eb('client.used_at', '<', before(usedMilliseconds))]))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('oauth_grants').select('id').whereRef('oauth_grants.client_id', '=', 'client.id'))),
    )
    .limit(limit);
  return (await trx.deleteFrom('oauth_clients').where('id', 'in', unused).returning('id').execute()).length;
}
