import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import { allTokens, type IssuedToken, type Revocation, type StoredToken } from '../../model/token.ts';
import { readVisitor, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import type { Sender } from '../../operations/ports.ts';
import { type Access, exclusively } from './database.ts';
import { openLink } from './links.ts';
import { addRevocations, addToken, endGrantOf, endGrants } from './oauth-grants.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import type { Tables } from './tables.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

export function tokensOf({ read, write, database: { lockNames } }: Access) {
  /** Returns how the owner is told: by mail for a link's first opening, or an address once in 24 hours. Throws `NOT_FOUND`. */
  async function pageReportOf(trx: Transaction<Tables>, { subject, issuedAt }: IssuedToken, now: Date) {
    if (subject.kind === 'link') return (await openLink(trx, subject.id, now)) ? 'mailed' : 'counted';
    const key = visitorKeyOf(subject);
    // Serializes concurrent tokens of one address, so that the later one sees the earlier one.
    await lockNames(trx, sql`select cast(${key} as text) as name`);
    const mailed = trx.selectFrom('issued_tokens').select('jti').where('page_report', '=', 'mailed');
    const dayAgo = new Date(issuedAt.getTime() - dayMilliseconds).toISOString();
    const recent = mailed.where('canonical_subject', '=', key).where('issued_at', '>', dayAgo);
    return (await recent.limit(1).executeTakeFirst()) === undefined ? 'mailed' : 'counted';
  }

  return {
    add: (
      token: IssuedToken,
      notice: Notice,
      charges: readonly QuotaCharge[] = [],
      now = token.issuedAt,
      { isOfPage = false } = {},
    ): Promise<void> =>
      write(async (trx) => {
        await countUses(trx, charges, now);
        const pageReport = isOfPage ? await pageReportOf(trx, token, now) : null;
        await addToken(trx, token, { page_report: pageReport });
        if (pageReport !== 'counted') await queueNotice(trx, notice, token.issuedAt);
      }),

    listUnexpired: (
      now: Date,
      which: { readonly jti?: string; readonly canonical_subject?: VisitorKey; readonly grant_id?: string } = {},
    ): Promise<StoredToken[]> =>
      read(async (db) => {
        const unexpired = selectTokens(db).where('expires_at', '>', now.toISOString());
        const chosen = unexpired.where((eb) => eb.and(which));
        return (await chosen.orderBy('issued_at', 'desc').orderBy('jti').execute()).map(toStoredToken);
      }),

    listOf: (visitors: readonly VisitorKey[], limit?: number): Promise<StoredToken[]> =>
      read(async (db) => {
        const rows: Row[] = [];
        // One visitor at a time, so that an index has the latest of each: a visitor may have many tokens.
        for (const visitor of visitors) {
          const all = selectTokens(db).where('canonical_subject', '=', visitor);
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

const view = sql<string | null>`
  case when grant_id is null then view else (select view from oauth_grants where id = issued_tokens.grant_id) end`;

const selectTokens = (db: Kysely<Tables>) =>
  db
    .selectFrom('issued_tokens')
    .select(['jti', 'subject', 'issued_at', 'expires_at', 'grant_id'])
    .select(clientName.as('client_name'))
    .select(view.as('view'));

const toStoredToken = ({ jti, subject, issued_at, expires_at, grant_id, view, client_name }: Row): StoredToken => ({
  jti,
  subject: readVisitor(subject),
  issuedAt: new Date(issued_at),
  expiresAt: new Date(expires_at),
  grantId: grant_id,
  view,
  clientName: client_name,
});

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The revocations of all processes, in a sequence that only grows; each process refreshes its copy from them. */
export function revocationsOf({ read, write }: Access) {
  return {
    /** Stores a revocation and ends its grants, unless it `keepsGrant`; `subject` is the key of a revoked subject. */
    async add(
      { kind, value, revokedAt }: Revocation,
      { subject, keepsGrant = false }: { readonly subject?: VisitorKey; readonly keepsGrant?: boolean } = {},
    ): Promise<void> {
      await write(async (trx) => {
        const revocation = { kind, value, revoked_at: revokedAt.toISOString() };
        if (kind !== 'jti' || (await endsToken(trx, revocation))) await addRevocations(trx, [revocation]);
        if (kind === 'all') await endGrants(trx, 'all');
        else if (kind === 'jti' && !keepsGrant) await endGrantOf(trx, value, revokedAt);
        else if (subject !== undefined) await endGrants(trx, { subject });
        // Two concurrent revocations would take the same number, and other work could miss them.
      }, exclusively);
    },

    async listAfter(sequence: number): Promise<(Revocation & { readonly sequence: number })[]> {
      const rows = await read((db) =>
        db.selectFrom('revocations').selectAll().where('sequence', '>', sequence).orderBy('sequence').execute(),
      );
      return rows.map(({ revoked_at, ...revocation }) => ({ ...revocation, revokedAt: new Date(revoked_at) }));
    },
  };
}

/** Whether a revocation ends the token: it is neither revoked nor known to have expired. */
async function endsToken(trx: Transaction<Tables>, { value, revoked_at }: Omit<Tables['revocations'], 'sequence'>) {
  const revoked = trx.selectFrom('revocations').select('value').where('kind', '=', 'jti').where('value', '=', value);
  const token = trx.selectFrom('issued_tokens').select('jti as value').where('jti', '=', value);
  const ended = revoked.unionAll(token.where('expires_at', '<=', revoked_at));
  return (await ended.executeTakeFirst()) === undefined;
}

/** Throws `UNAUTHORIZED` if the sender's token is revoked in the store: this process's copy may lag behind. */
export async function refuseRevoked(trx: Transaction<Tables>, sender: Holder): Promise<void> {
  if ((await revokedAmong(trx, [sender])).size > 0) throw new Failure('UNAUTHORIZED');
}

/** A token, with the hashes that a revocation of its subject may be stored under. */
export type Holder = Pick<Sender, 'token' | 'subjectHashes'>;

export async function revokedAmong(trx: Transaction<Tables>, holders: readonly Holder[]): Promise<ReadonlySet<string>> {
  const values = new Set(holders.flatMap(({ token, subjectHashes }) => [token.jti, ...subjectHashes, allTokens]));
  // Without the query builder, which takes longer for many values than the database.
  const { rows } = await sql<Pick<Selectable<Tables['revocations']>, 'kind' | 'value' | 'revoked_at'>>`
    select kind, value, revoked_at from revocations where value in (${sql.join([...values])})`.execute(trx);
  const revocations = Map.groupBy(rows, ({ value }) => value);
  const isRevoked = ({ token: { jti, issuedAt }, subjectHashes }: Holder): boolean =>
    [jti, ...subjectHashes, allTokens]
      .flatMap((value) => revocations.get(value) ?? [])
      .some(({ kind, value, revoked_at }) =>
        kind === 'jti' ? value === jti : value !== jti && revoked_at >= issuedAt.toISOString(),
      );
  return new Set(holders.filter(isRevoked).map(({ token }) => token.jti));
}

/** Returns the views of unexpired tokens and grants, by their ids, and of active links, by their keys. */
export async function viewsIn(db: Kysely<Tables>, now: Date): Promise<ReadonlyMap<string, string>> {
  const at = now.toISOString();
  const tokens = db.selectFrom('issued_tokens').select(['jti as id', 'view', 'expires_at']);
  const grants = db.selectFrom('oauth_grants').select(['id', 'view', 'expires_at']);
  const rows = await tokens
    .where('view', 'is not', null)
    .where('expires_at', '>', at)
    .unionAll(grants.where('view', 'is not', null).where('expires_at', '>', at))
    .execute();
  const links = await db.selectFrom('links').select(['id', 'view']).where('ended_at', 'is', null).execute();
  const ofLinks = links.map(({ id, view }) => [visitorKeyOf({ kind: 'link', id }), view] as const);
  return new Map([...rows.map(({ id, view }) => [id, view!] as const), ...ofLinks]);
}

/** A token that was not issued for a grant, or a grant with its tokens. */
type ViewTarget = { readonly kind: 'jti'; readonly jti: string } | { readonly kind: 'grant'; readonly id: string };

export function tokenViewsOf({ read, change }: Access) {
  return {
    list: (now: Date) => read((db) => viewsIn(db, now)),

    set: (target: ViewTarget, view: string | null): Promise<void> =>
      change((trx) =>
        target.kind === 'jti'
          ? trx.updateTable('issued_tokens').set({ view }).where('jti', '=', target.jti)
          : trx.updateTable('oauth_grants').set({ view }).where('id', '=', target.id),
      ),
  };
}

/** Selects the id under which a token's reads and messages are stored: its grant's id, or its own. */
export const recordIdOf = (jti: string): RawBuilder<string> =>
  sql`coalesce((select grant_id from issued_tokens where issued_tokens.jti = ${jti}), ${jti})`;
