import type { Transaction } from 'kysely';
import { toCanonicalAddress } from '../../../model/email-address.ts';
import type { Grant, IssuedToken } from '../../../model/grant.ts';
import { readScopes } from '../../../model/grant.ts';
import type { Notice } from '../../../model/notice.ts';
import type { Read, Write } from '../database.ts';
import { queueNotice } from '../outbox/outbox-queue.ts';
import type { Tables } from '../tables.ts';
import { endGrants } from './ending.ts';
import { isGranted, type OauthRecord, putRecord } from './records.ts';

/** The code or refresh token that a token is issued for, by its record, which is used up. */
export interface TokenSource {
  readonly grantId: string;
  readonly recordId: string;
  /** The records that are stored with the token: the next refresh token and the answer. */
  readonly records: readonly OauthRecord[];
}

/** What visitors have allowed clients; `onMailQueued` is called after the commit of a notice. */
export function oauthGrantsOf(read: Read, write: Write, onMailQueued: () => void) {
  return {
    /** Stores a grant with its notice. Returns false, and stores nothing, if it is stored already. */
    async addGrant(grant: Grant, notice: Notice): Promise<boolean> {
      const isAdded = await write(async (trx) => {
        const added = await trx
          .insertInto('oauth_grants')
          .values(toRow(grant))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .execute();
        if (added.length === 0) return false;
        const used = { used_at: grant.createdAt.toISOString() };
        await trx.updateTable('oauth_clients').set(used).where('id', '=', grant.clientId).execute();
        await queueNotice(trx, notice, grant.createdAt);
        return true;
      });
      if (isAdded) onMailQueued();
      return isAdded;
    },

    /** Returns a grant that has not ended. */
    async findGrant(id: string, now: Date): Promise<Grant | null> {
      const row = await read((db) =>
        db
          .selectFrom('oauth_grants')
          .selectAll()
          .where('id', '=', id)
          .where('expires_at', '>', now.toISOString())
          .executeTakeFirst(),
      );
      return row === undefined ? null : toGrant(row);
    },

    /** Returns the grants of canonical addresses, also those that have ended, the latest first, at most `limit` of each. */
    grantsOf: (addresses: readonly string[], limit?: number): Promise<Grant[]> =>
      read(async (db) => {
        const grants: Grant[] = [];
        for (const address of addresses) {
          const all = db.selectFrom('oauth_grants').selectAll().where('canonical_subject', '=', address);
          const latest = all.orderBy('created_at', 'desc').orderBy('id');
          const rows = await latest.$if(limit !== undefined, (query) => query.limit(limit!)).execute();
          grants.push(...rows.map(toGrant));
        }
        return grants.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      }),

    /** Returns the grants that have not ended, the latest first: all, or those of a canonical address. */
    unexpiredGrants: (now: Date, which: { readonly canonical_subject?: string } = {}): Promise<Grant[]> =>
      read(async (db) => {
        const unexpired = db.selectFrom('oauth_grants').selectAll().where('expires_at', '>', now.toISOString());
        const chosen = unexpired.where((eb) => eb.and(which));
        const rows = await chosen.orderBy('created_at', 'desc').orderBy('id').execute();
        return rows.map(toGrant);
      }),

    /**
     * Stores a token that was issued for a grant, which lasts until `grantExpiresAt` from then on, with the records that go with it,
     * and marks the record of the code or refresh token as used. Stores nothing if the grant has ended or the record was used before.
     */
    addGrantedToken: (
      token: IssuedToken,
      { grantId, recordId, records }: TokenSource,
      grantExpiresAt: Date,
      now: Date,
    ): Promise<'added' | 'used before' | 'ended'> =>
      write(async (trx) => {
        if (!(await isGranted(trx, grantId, now))) return 'ended';
        if (!(await useRecord(trx, recordId, now))) return 'used before';
        for (const record of records) await putRecord(trx, record);
        const { jti, subject, issuedAt, expiresAt } = token;
        const [issued_at, expires_at] = [issuedAt.toISOString(), expiresAt.toISOString()];
        const canonical_subject = toCanonicalAddress(subject);
        await trx
          .insertInto('issued_tokens')
          .values({ jti, subject, canonical_subject, issued_at, expires_at, grant_id: grantId })
          .execute();
        const lasting = { expires_at: grantExpiresAt.toISOString() };
        await trx.updateTable('oauth_grants').set(lasting).where('id', '=', grantId).execute();
        return 'added';
      }),

    /** Ends a grant with all that was issued for it. */
    endGrant: (id: string, now: Date): Promise<void> =>
      write((trx) => endGrants(trx, { id, endedAt: now }), { isExclusive: true }),
  };
}

/** Marks a record as used. Returns false if it was used before: of several requests at once, one gets true. */
async function useRecord(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const unused = trx.updateTable('oauth_records').where('id', '=', id).where('consumed_at', 'is', null);
  const used = await unused.set({ consumed_at: now.toISOString() }).returning('id').execute();
  return used.length === 1;
}

const toRow = (grant: Grant): Tables['oauth_grants'] => ({
  id: grant.id,
  subject: grant.subject,
  canonical_subject: toCanonicalAddress(grant.subject),
  is_verified: Number(grant.isVerified),
  client_id: grant.clientId,
  client_name: grant.clientName,
  redirect_uri: grant.redirectUri,
  scope: grant.scopes.join(' '),
  is_for_mcp: Number(grant.isForMcp),
  created_at: grant.createdAt.toISOString(),
  expires_at: grant.expiresAt.toISOString(),
});

const toGrant = (row: Tables['oauth_grants']): Grant => ({
  id: row.id,
  subject: row.subject,
  isVerified: row.is_verified === 1,
  clientId: row.client_id,
  clientName: row.client_name,
  redirectUri: row.redirect_uri,
  scopes: readScopes(row.scope),
  isForMcp: row.is_for_mcp === 1,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
});
