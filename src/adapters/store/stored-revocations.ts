import { sql, type Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Sender } from '../../operations/ports.ts';
import { allTokens, type Revocation, type RevocationStore } from '../tokens/revocations.ts';
import type { Read } from './database-access.ts';
import type { Write } from './group-commit.ts';
import type { Tables } from './tables.ts';

/** The revocations in the store, from which each process refreshes its copy. */
export function storedRevocationsOf(read: Read, write: Write): RevocationStore {
  return {
    /** Stores it under the next number, without gaps, so that a reader that has read up to a number misses none below it. */
    async revoke({ kind, value, revokedAt }: Revocation): Promise<void> {
      await write(async (trx) => {
        const { last } = await trx
          .selectFrom('revocations')
          .select((eb) => eb.fn.max('sequence').as('last'))
          .executeTakeFirstOrThrow();
        const row = { sequence: (last ?? 0) + 1, kind, value, revoked_at: revokedAt.toISOString() };
        await trx.insertInto('revocations').values(row).execute();
      });
    },

    async revocationsAfter(sequence: number): Promise<(Revocation & { readonly sequence: number })[]> {
      const rows = await read((db) =>
        db.selectFrom('revocations').selectAll().where('sequence', '>', sequence).orderBy('sequence').execute(),
      );
      return rows.map(({ revoked_at, ...revocation }) => ({ ...revocation, revokedAt: new Date(revoked_at) }));
    },
  };
}

/** Throws `UNAUTHORIZED` if the sender's token is revoked in the store: this process's copy may lag behind. */
export async function refuseRevoked(trx: Transaction<Tables>, sender: Holder): Promise<void> {
  if ((await revokedAmong(trx, [sender])).size > 0) throw new Failure('UNAUTHORIZED');
}

/** A token, with the hashes that a revocation of its subject may be stored under. */
export type Holder = Pick<Sender, 'token' | 'subjectHashes'>;

/** Returns the ids of those tokens that are revoked in the store. */
export async function revokedAmong(trx: Transaction<Tables>, holders: readonly Holder[]): Promise<ReadonlySet<string>> {
  const given = holders.map(({ token: { jti, issuedAt }, subjectHashes }) => ({
    jti,
    issued_at: issuedAt.toISOString(),
    values: [jti, ...subjectHashes, allTokens],
  }));
  const { rows } = await sql<{ jti: string }>`
    select holder.value ->> 'jti' as jti from json_each(${JSON.stringify(given)}) as holder
    where exists (
      select 1 from json_each(holder.value -> 'values') as given
      join revocations on revocations.value = given.value
      where case kind when 'jti' then revocations.value = jti else revoked_at >= holder.value ->> 'issued_at' end
    )`.execute(trx);
  return new Set(rows.map(({ jti }) => jti));
}
