import { type Selectable, sql, type Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Sender } from '../../operations/ports.ts';
import { allTokens, type Revocation, type RevocationStore } from '../tokens/revocations.ts';
import type { Read, Write } from './database.ts';
import { addRevocations, endGrantOf, endGrants } from './oauth-grants.ts';
import type { Tables } from './tables.ts';

// Two that run at once would take the same number, and work that runs at the same time could miss the revocation.
const exclusively = { isExclusive: true };

/** The revocations in the store, from which each process refreshes its copy. */
export function revocationsOf(read: Read, write: Write): RevocationStore['revocations'] {
  return {
    async add({ kind, value, revokedAt }: Revocation, { address, keepsGrant = false } = {}): Promise<void> {
      await write(async (trx) => {
        const revocation = { kind, value, revoked_at: revokedAt.toISOString() };
        if (kind !== 'jti' || (await endsToken(trx, revocation))) await addRevocations(trx, [revocation]);
        if (kind === 'all') await endGrants(trx, 'all');
        else if (kind === 'jti' && !keepsGrant) await endGrantOf(trx, value, revokedAt);
        else if (address !== undefined) await endGrants(trx, { address });
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

/** Whether the revocation of a token ends it: it is neither revoked nor known to have expired. */
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

/** Returns the ids of those tokens that are revoked in the store. */
export async function revokedAmong(trx: Transaction<Tables>, holders: readonly Holder[]): Promise<ReadonlySet<string>> {
  const values = new Set(holders.flatMap(({ token, subjectHashes }) => [token.jti, ...subjectHashes, allTokens]));
  // Not by the query builder, which takes longer for many values than the database does.
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
