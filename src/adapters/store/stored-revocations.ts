import type { Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Sender } from '../../operations/ports.ts';
import type { Revocation, RevocationStore } from '../tokens/revocations.ts';
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
export async function refuseRevoked(trx: Transaction<Tables>, { token, subjectHashes }: Sender): Promise<void> {
  const revocation = await trx
    .selectFrom('revocations')
    .select('sequence')
    .where(({ eb, and, or }) =>
      or([
        and([eb('kind', '=', 'jti'), eb('value', '=', token.jti)]),
        and([
          eb('revoked_at', '>=', token.issuedAt.toISOString()),
          or([eb('kind', '=', 'all'), and([eb('kind', '=', 'subject'), eb('value', 'in', subjectHashes)])]),
        ]),
      ]),
    )
    .executeTakeFirst();
  if (revocation !== undefined) throw new Failure('UNAUTHORIZED');
}
