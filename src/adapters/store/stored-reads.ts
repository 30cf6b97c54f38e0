import { type Selectable, sql } from 'kysely';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { RecordedRead, TokenRecord } from '../../operations/ports.ts';
import type { Read } from './database-access.ts';
import type { Write } from './group-commit.ts';
import { type Holder, refuseRevoked, revokedAmong } from './stored-revocations.ts';
import type { Tables } from './tables.ts';

/** What was read with one token, the oldest first. */
export interface Reader extends Holder {
  readonly reads: readonly RecordedRead[];
}

/** How many reads are kept of one token, and in all: some 45 MB on the disk, 200 MB if all their texts are as long as they may be. */
const readsPerToken = 1_000;
const readsInAll = 100_000;

/** The reader's record as stored, one row a read. */
export function storedReadsOf(read: Read, write: Write) {
  return {
    /**
     * Stores reads, but none of a token that is revoked, whose visitor was erased, or whose record was erased after the read.
     * Above 1,000 reads of a token its oldest are dropped; above 100,000 in all, the oldest of the tokens with most reads.
     */
    async addReads(readers: readonly Reader[]): Promise<void> {
      await write(
        async (trx) => {
          const revoked = await revokedAmong(trx, readers);
          const good = JSON.stringify(readers.filter(({ token }) => !revoked.has(token.jti)).map(toBatch));
          // The tokens of a visitor who was erased are not there to be joined.
          await sql`
            insert into reads (jti, subject, canonical_subject, operation, item, surface, client, read_at)
            select token.jti, token.subject, token.canonical_subject,
              given.value ->> 0, given.value ->> 1, given.value ->> 2, given.value ->> 3, given.value ->> 4
            from json_each(${good}) as reader
            join issued_tokens as token on token.jti = reader.value ->> 'jti'
            join json_each(reader.value -> 'reads') as given
            left join erased_reads as erased on erased.jti = token.jti
            where erased.erased_at is null or erased.erased_at < given.value ->> 4
            order by given.value ->> 4`.execute(trx);
          await sql`
            delete from reads where id in (
              select old.id from json_each(${good}) as reader
              join reads as old on old.jti = reader.value ->> 'jti' and old.id <= (
                select id from reads where jti = reader.value ->> 'jti' order by id desc limit 1 offset ${readsPerToken}
              )
            )`.execute(trx);
          const { rows } = await sql<{ count: number }>`select count(*) as count from reads`.execute(trx);
          if (rows[0]!.count <= readsInAll) return;
          // A tenth at once, because ranking all rows and deleting that many takes 0.2 s.
          await sql`
            delete from reads where id in (
              select id from (select id, row_number() over (partition by jti order by id desc) as place from reads)
              order by place desc, id limit ${rows[0]!.count - 0.9 * readsInAll}
            )`.execute(trx);
        },
        { canWait: true },
      );
    },

    async recordOf(jti: string, limit: number): Promise<TokenRecord> {
      return await read(async (db) => {
        const ofToken = db.selectFrom('reads').where('jti', '=', jti);
        const counted = ofToken.select((eb) => eb.fn.countAll<number>().as('total'));
        const { total } = await counted.executeTakeFirstOrThrow();
        const rows = await ofToken.selectAll().orderBy('id', 'desc').limit(limit).execute();
        const erased = db.selectFrom('erased_reads').select('erased_at').where('jti', '=', jti);
        const { erased_at = null } = (await erased.executeTakeFirst()) ?? {};
        return { total, reads: rows.map(toRead), erasedAt: erased_at === null ? null : new Date(erased_at) };
      });
    },

    /** Erases the reads of a token, and remembers when, so that those that wait to be stored aren't. Throws `UNAUTHORIZED` if it is revoked. */
    async eraseReads(holder: Holder, now: Date): Promise<void> {
      const { jti, subject } = holder.token;
      const erased_at = now.toISOString();
      await write(async (trx) => {
        await refuseRevoked(trx, holder);
        await trx.deleteFrom('reads').where('jti', '=', jti).execute();
        await trx
          .insertInto('erased_reads')
          .values({ jti, subject, canonical_subject: toCanonicalAddress(subject), erased_at })
          .onConflict((conflict) => conflict.column('jti').doUpdateSet({ erased_at }))
          .execute();
      });
    },
  };
}

const toRead = ({ operation, item, surface, client, read_at }: Selectable<Tables['reads']>): RecordedRead => ({
  operation,
  item,
  surface,
  client,
  readAt: new Date(read_at),
});

const toBatch = ({ token, reads }: Reader) => ({
  jti: token.jti,
  reads: reads.map(({ operation, item, surface, client, readAt }) => [
    operation,
    item,
    surface,
    client,
    readAt.toISOString(),
  ]),
});
