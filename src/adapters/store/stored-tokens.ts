import { type Kysely, sql } from 'kysely';
import type { StoredToken } from '../../model/grant.ts';
import type { Read } from './database.ts';
import type { Tables } from './tables.ts';

/** The records of issued tokens, which hold everything but the signature. */
export function storedTokensOf(read: Read) {
  return {
    /** Returns the tokens that have not expired, the latest first: all, or those with a `jti`, of a canonical address or of a grant. */
    unexpiredTokens: (
      now: Date,
      which: { readonly jti?: string; readonly canonical_subject?: string; readonly grant_id?: string } = {},
    ): Promise<StoredToken[]> =>
      read(async (db) => {
        const unexpired = selectTokens(db).where('expires_at', '>', now.toISOString());
        const chosen = unexpired.where((eb) => eb.and(which));
        return (await chosen.orderBy('issued_at', 'desc').orderBy('jti').execute()).map(toStoredToken);
      }),

    /** Returns the tokens issued to canonical addresses, the latest first, at most `limit` of each. */
    tokensOf: (addresses: readonly string[], limit?: number): Promise<StoredToken[]> =>
      read(async (db) => {
        const rows: Row[] = [];
        // One by one, so that an index has the latest of each: an address may have many tokens.
        for (const address of addresses) {
          const all = selectTokens(db).where('canonical_subject', '=', address);
          const latest = all.orderBy('issued_at', 'desc').orderBy('jti');
          rows.push(...(await latest.$if(limit !== undefined, (query) => query.limit(limit!)).execute()));
        }
        return rows
          .sort((one, other) => compare(other.issued_at, one.issued_at) || compare(one.jti, other.jti))
          .map(toStoredToken);
      }),
  };
}

type Row = Awaited<ReturnType<ReturnType<typeof selectTokens>['execute']>>[number];

const clientName = sql<string | null>`(select client_name from oauth_grants where id = issued_tokens.grant_id)`;

const selectTokens = (db: Kysely<Tables>) =>
  db
    .selectFrom('issued_tokens')
    .select(['jti', 'subject', 'issued_at', 'expires_at', 'grant_id'])
    .select(clientName.as('client_name'));

const toStoredToken = ({ jti, subject, issued_at, expires_at, grant_id, client_name }: Row): StoredToken => ({
  jti,
  subject,
  issuedAt: new Date(issued_at),
  expiresAt: new Date(expires_at),
  grantId: grant_id,
  clientName: client_name,
});

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
