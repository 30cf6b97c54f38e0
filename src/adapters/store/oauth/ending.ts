import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { ErasedRows } from '../erasing/erased-rows.ts';
import type { Tables } from '../tables.ts';

/** Which grants end: one with its access tokens, those of a canonical address, or all. */
type EndedGrants = { readonly id: string; readonly endedAt: Date } | { readonly address: string } | 'all';

/**
 * Ends grants, in exclusive work: their codes and refresh tokens go with them, and so do the requests that a visitor is in the
 * middle of. Their access tokens are revoked, unless `which` is an address or all: then all tokens are revoked anyway.
 */
export async function endGrants(trx: Transaction<Tables>, which: EndedGrants): Promise<void> {
  const ended = conditionOf(which);
  const ids = trx.selectFrom('oauth_grants').select('id').where(ended);
  if (which === 'all') await trx.deleteFrom('oauth_records').execute();
  else if ('address' in which)
    await trx.deleteFrom('oauth_records').where('canonical_subject', '=', which.address).execute();
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
  // The row stays while its notice does. Not the time of the end: that of a revocation may be a second ahead.
  await trx
    .updateTable('oauth_grants')
    .set({ expires_at: sql.ref('created_at') })
    .where(ended)
    .execute();
}

/** Ends the grant that a token was issued for, if any. */
export async function endGrantOf(trx: Transaction<Tables>, jti: string, endedAt: Date): Promise<void> {
  const token = await trx.selectFrom('issued_tokens').select('grant_id').where('jti', '=', jti).executeTakeFirst();
  if (token?.grant_id) await endGrants(trx, { id: token.grant_id, endedAt });
}

/** Stores revocations, in exclusive work, under the next numbers, without gaps: a reader that has read up to a number misses none below. */
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

function conditionOf(which: EndedGrants): RawBuilder<SqlBool> {
  if (which === 'all') return sql`true`;
  if ('address' in which) return sql`canonical_subject = ${which.address}`;
  return sql`id = ${which.id}`;
}

/** Erases the grants of a canonical address with their notices, and all that was issued for them. */
export async function eraseGrants(trx: Transaction<Tables>, address: string): Promise<ErasedRows> {
  const ids = trx.selectFrom('oauth_grants').select('id').where('canonical_subject', '=', address);
  const notices = trx.deleteFrom('outbox').where('kind', '=', 'auth_request').where('about', 'in', ids);
  const mails = await notices.returning('mail_id').execute();
  await endGrants(trx, { address });
  const grants = trx.deleteFrom('oauth_grants').where('canonical_subject', '=', address);
  return { count: (await grants.returning('id').execute()).length, mails };
}
