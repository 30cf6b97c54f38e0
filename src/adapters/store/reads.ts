import { type Selectable, sql, type Transaction } from 'kysely';
import type { RecordedRead, TokenRecord } from '../../model/reader.ts';
import { type Access, countOf, toDate, toSubjectColumns } from './database.ts';
import type { Tables } from './tables.ts';
import { type Holder, recordIdOf, refuseRevoked, revokedAmong } from './tokens.ts';

export interface Reader extends Holder {
  readonly reads: readonly RecordedRead[];
}

/** The most reads kept for one token, and in all: some 45 MB on the disk, 200 MB if all texts have their full length. */
const readsPerToken = 1_000;
const readsInAll = 100_000;

export function readsOf({ read, write, database: { toJson, elementsOf, lockNames } }: Access) {
  return {
    /**
     * Stores reads, unless the token is revoked, or visitor or record erased. The tokens of a grant share one record. The
     * oldest above 1,000 of a record are dropped, and of the largest above 100,000 in all.
     */
    add: (readers: readonly Reader[]): Promise<void> =>
      write(async (trx) => {
        // One process at a time, so that ids are in the order of the commits, and two processes do not drop the same reads.
        await lockNames(trx, sql`select 'reads' as name`);
        const revoked = await revokedAmong(trx, readers);
        const good = toJson(readers.filter(({ token }) => !revoked.has(token.jti)).map(toBatch));
        // The tokens of an erased visitor no longer exist, so the join drops their reads.
        const holders = sql`${elementsOf(good)} as reader join issued_tokens as token on token.jti = reader.value ->> 'jti'`;
        const record = sql`coalesce(token.grant_id, token.jti)`;
        // Prevents storing a read that was checked before an erasure but commits after it.
        await lockNames(trx, sql`select distinct ${record} as name from ${holders}`);
        await sql`
          insert into reads (jti, subject, canonical_subject, operation, item, surface, client, read_at)
          select ${record}, token.subject, token.canonical_subject,
            given.value ->> 0, given.value ->> 1, given.value ->> 2, coalesce(granted.client_name, given.value ->> 3),
            given.value ->> 4
          from ${holders}
          join ${elementsOf(sql`reader.value -> 'reads'`)} as given on true
          left join oauth_grants as granted on granted.id = token.grant_id
          left join erased_reads as erased on erased.jti = ${record}
          where erased.erased_at is null or erased.erased_at < given.value ->> 4
          order by given.value ->> 4`.execute(trx);
        const { rows: full } = await sql<{ jti: string }>`
          select distinct ${record} as jti from ${holders}
          where exists (select id from reads where jti = ${record} limit 1 offset ${readsPerToken})`.execute(trx);
        for (const { jti } of full) await dropOldest(trx, jti);
        const count = await countOf(trx.selectFrom('reads'));
        if (count <= readsInAll) return;
        // A tenth in one step, because ranking all rows and deleting that many takes 0.2 s.
        await sql`
          delete from reads where id in (
            select id from (select id, row_number() over (partition by jti order by id desc) as place from reads) as ranked
            order by place desc, id limit ${count - 0.9 * readsInAll}
          )`.execute(trx);
      }),

    recordOf: (tokenId: string, limit: number): Promise<TokenRecord> =>
      read(async (db) => {
        const jti = recordIdOf(tokenId);
        const ofToken = db.selectFrom('reads').where('jti', '=', jti);
        const total = await countOf(ofToken);
        const rows = await ofToken.selectAll().orderBy('read_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
        const erased = db.selectFrom('erased_reads').select('erased_at').where('jti', '=', jti);
        const { erased_at = null } = (await erased.executeTakeFirst()) ?? {};
        return { total, reads: rows.map(toRead), erasedAt: toDate(erased_at) };
      }),

    /** Erases the reads of a token, including unstored ones. Throws `UNAUTHORIZED` if it is revoked. */
    erase: (holder: Holder, now: Date): Promise<void> =>
      write(async (trx) => {
        await refuseRevoked(trx, holder);
        const jti = recordIdOf(holder.token.jti);
        // Locks only the record: with the store's lock, a flood of erasures would block all other writers.
        await lockNames(trx, sql`select ${jti} as name`);
        await trx.deleteFrom('reads').where('jti', '=', jti).execute();
        const erased_at = now.toISOString();
        await trx
          .insertInto('erased_reads')
          .values({ jti, ...toSubjectColumns(holder.token.subject), erased_at })
          .onConflict((conflict) => conflict.column('jti').doUpdateSet({ erased_at }))
          .execute();
      }),
  };
}

async function dropOldest(trx: Transaction<Tables>, jti: string): Promise<void> {
  const ofToken = trx.selectFrom('reads').select('id').where('jti', '=', jti);
  const old = ofToken.orderBy('id', 'desc').limit(1).offset(readsPerToken);
  await trx.deleteFrom('reads').where('jti', '=', jti).where('id', '<=', old).execute();
}

const toRead = ({ operation, item, surface, client, read_at }: Selectable<Tables['reads']>): RecordedRead => ({
  operation,
  item,
  surface,
  client,
  readAt: new Date(read_at),
});

const toBatch = ({ token: { jti }, reads }: Reader) => ({
  jti,
  reads: reads.map(({ operation, item, surface, client, readAt }) => [operation, item, surface, client, readAt]),
});
