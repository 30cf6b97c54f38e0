import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Notice } from '../../model/notice.ts';
import type { Grant, StoredGrant } from '../../model/oauth.ts';
import { type IssuedToken, readScopes } from '../../model/token.ts';
import { readVisitor, type VisitorKey } from '../../model/visitor.ts';
import { type Access, exclusively, toSubjectColumns } from './database.ts';
import { findOpenLink, refuseEnded } from './links.ts';
import { isGranted, type OauthRecord, putRecord } from './oauth.ts';
import { queueNotice } from './outbox.ts';
import type { Tables } from './tables.ts';

/** The code or refresh token that a token is issued for, by its record, which is then used up. */
interface TokenSource {
  readonly grantId: string;
  readonly recordId: string;
  /** The records that are stored with the token: the next refresh token and the answer. */
  readonly records: readonly OauthRecord[];
}

export function oauthGrantsOf({ read, write }: Access) {
  return {
    /** Stores a grant with its notice; returns false if it is stored already. Throws `NOT_FOUND` if its link has ended. */
    add: (grant: Grant, notice: Notice): Promise<boolean> =>
      write(async (trx) => {
        if (grant.subject.kind === 'link') await refuseEnded(trx, grant.subject.id, grant.createdAt);
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
      }),

    async find(id: string, now: Date): Promise<StoredGrant | null> {
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

    listOf: (visitors: readonly VisitorKey[], limit?: number): Promise<StoredGrant[]> =>
      read(async (db) => {
        const grants: StoredGrant[] = [];
        for (const visitor of visitors) {
          const all = db.selectFrom('oauth_grants').selectAll().where('canonical_subject', '=', visitor);
          const latest = all.orderBy('created_at', 'desc').orderBy('id');
          const rows = await latest.$if(limit !== undefined, (query) => query.limit(limit!)).execute();
          grants.push(...rows.map(toGrant));
        }
        return grants.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      }),

    listUnexpired: (now: Date, which: { readonly canonical_subject?: VisitorKey } = {}): Promise<StoredGrant[]> =>
      read(async (db) => {
        const unexpired = db.selectFrom('oauth_grants').selectAll().where('expires_at', '>', now.toISOString());
        const chosen = unexpired.where((eb) => eb.and(which));
        const rows = await chosen.orderBy('created_at', 'desc').orderBy('id').execute();
        return rows.map(toGrant);
      }),

    /** Stores a token with its records, and extends its grant; not if grant or link has ended, or the code was used. */
    addToken: (
      token: IssuedToken,
      { grantId, recordId, records }: TokenSource,
      grantExpiresAt: Date,
      now: Date,
    ): Promise<'added' | 'used before' | 'ended'> =>
      write(async (trx) => {
        if (!(await isGranted(trx, grantId, now))) return 'ended';
        const { subject } = token;
        if (subject.kind === 'link' && (await findOpenLink(trx, subject.id, now)) === null) return 'ended';
        if (!(await useRecord(trx, recordId, now))) return 'used before';
        for (const record of records) await putRecord(trx, record);
        await addToken(trx, token, { grant_id: grantId });
        const lasting = { expires_at: grantExpiresAt.toISOString() };
        await trx.updateTable('oauth_grants').set(lasting).where('id', '=', grantId).execute();
        return 'added';
      }),

    end: (id: string, now: Date): Promise<void> => write((trx) => endGrants(trx, { id, endedAt: now }), exclusively),
  };
}

/** Stores a token with the grant that it is issued for, or the kind of notification if the page issues it. */
export async function addToken(
  trx: Transaction<Tables>,
  token: IssuedToken,
  origin: Partial<Pick<Tables['issued_tokens'], 'grant_id' | 'page_report'>>,
): Promise<void> {
  const [issued_at, expires_at] = [token.issuedAt.toISOString(), token.expiresAt.toISOString()];
  const issued = { jti: token.jti, ...toSubjectColumns(token.subject), issued_at, expires_at };
  const row = { ...issued, grant_id: null, page_report: null, ...origin };
  await trx.insertInto('issued_tokens').values(row).execute();
}

/** Marks a record as used. Returns false if it was used before: of several concurrent requests, one gets true. */
async function useRecord(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const unused = trx.updateTable('oauth_records').where('id', '=', id).where('consumed_at', 'is', null);
  const used = await unused.set({ consumed_at: now.toISOString() }).returning('id').execute();
  return used.length === 1;
}

const toRow = (grant: Grant): Omit<Tables['oauth_grants'], 'view'> => ({
  id: grant.id,
  ...toSubjectColumns(grant.subject),
  is_verified: Number(grant.isVerified),
  client_id: grant.clientId,
  client_name: grant.clientName,
  redirect_uri: grant.redirectUri,
  scope: grant.scopes.join(' '),
  is_for_mcp: Number(grant.isForMcp),
  created_at: grant.createdAt.toISOString(),
  expires_at: grant.expiresAt.toISOString(),
});

const toGrant = (row: Tables['oauth_grants']): StoredGrant => ({
  id: row.id,
  subject: readVisitor(row.subject),
  isVerified: row.is_verified === 1,
  clientId: row.client_id,
  clientName: row.client_name,
  redirectUri: row.redirect_uri,
  scopes: readScopes(row.scope),
  isForMcp: row.is_for_mcp === 1,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
  view: row.view,
});

/** The grants to end: one with its access tokens, a visitor's, or all. */
type EndedGrants = { readonly id: string; readonly endedAt: Date } | { readonly subject: VisitorKey } | 'all';

/**
 * Ends grants, in exclusive work, with their codes, refresh tokens and the unfinished requests of their visitors. Their access
 * tokens are revoked, unless `which` is a visitor or all: then all tokens are revoked anyway.
 */
export async function endGrants(trx: Transaction<Tables>, which: EndedGrants): Promise<void> {
  const ended = toCondition(which);
  const ids = trx.selectFrom('oauth_grants').select('id').where(ended);
  if (which === 'all') await trx.deleteFrom('oauth_records').execute();
  else if ('subject' in which)
    await trx.deleteFrom('oauth_records').where('canonical_subject', '=', which.subject).execute();
  else {
    const endedAt = which.endedAt.toISOString();
    const issued = trx.selectFrom('issued_tokens').select('jti').where('grant_id', 'in', ids);
    const unrevoked = sql<SqlBool>`not exists (select 1 from revocations where kind = 'jti' and value = issued_tokens.jti)`;
    const tokens = await issued.where('expires_at', '>', endedAt).where(unrevoked).execute();
    await addRevocations(
      trx,
      tokens.map(({ jti }) => ({ kind: 'jti', value: jti, revoked_at: endedAt })),
    );
  }
  await trx.deleteFrom('oauth_records').where('grant_id', 'in', ids).execute();
  // The row stays as long as its notice. Not the time of the end, which may be a second ahead for a revocation.
  await trx
    .updateTable('oauth_grants')
    .set({ expires_at: sql.ref('created_at') })
    .where(ended)
    .execute();
}

export async function endGrantOf(trx: Transaction<Tables>, jti: string, endedAt: Date): Promise<void> {
  const token = await trx.selectFrom('issued_tokens').select('grant_id').where('jti', '=', jti).executeTakeFirst();
  if (token?.grant_id) await endGrants(trx, { id: token.grant_id, endedAt });
}

/** Stores revocations, in exclusive work, under consecutive numbers, so that a reader misses none. */
export async function addRevocations(
  trx: Transaction<Tables>,
  revocations: readonly Omit<Tables['revocations'], 'sequence'>[],
): Promise<void> {
  if (revocations.length === 0) return;
  const { last } = await trx
    .selectFrom('revocations')
    .select((eb) => eb.fn.max('sequence').as('last'))
    .executeTakeFirstOrThrow();
  const rows = revocations.map((row, index) => ({ ...row, sequence: (last ?? 0) + 1 + index }));
  await trx.insertInto('revocations').values(rows).execute();
}

function toCondition(which: EndedGrants): RawBuilder<SqlBool> {
  if (which === 'all') return sql`true`;
  if ('subject' in which) return sql`canonical_subject = ${which.subject}`;
  return sql`id = ${which.id}`;
}
