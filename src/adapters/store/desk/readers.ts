import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { toCanonicalAddress } from '../../../model/email-address.ts';
import type { ReadEvent, Reader, ReadTotals } from '../../../model/reader.ts';
import type { IssuedToken } from '../../../operations/ports.ts';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { containing } from './pattern.ts';

/** Which readers to list; without a filter, all. */
export interface ReaderFilter {
  /** A part of the address, in any case. */
  readonly text?: string;
  /** Seen at or after this instant. */
  readonly since?: Date;
  readonly address?: string;
}

/** When a visitor was first and last seen; `subject` is the address as first typed. */
interface Seen {
  readonly address: string;
  readonly subject: string;
  readonly first: string;
  readonly last: string;
}

/** Visitors as the owner's desk shows them, with what they read as long as it is kept. */
export function readersOf(read: Read, write: Write) {
  return {
    /** Returns the readers seen last, at most `limit`, and how many there are. */
    listReaders: (filter: ReaderFilter, limit: number): Promise<{ readers: Reader[]; total: number }> =>
      read(async (db) => {
        const { rows } = await seenQuery(filter, limit).execute(db);
        return { readers: await withDetails(db, rows), total: rows[0]?.total ?? 0 };
      }),

    /** Returns the canonical address of each reader. */
    readerAddresses: (): Promise<string[]> =>
      read(async (db) => (await seenQuery({}).execute(db)).rows.map(({ address }) => address)),

    /** Returns the tokens issued to canonical addresses, the latest first, at most `limit` of each. */
    tokensOf: (addresses: readonly string[], limit?: number): Promise<IssuedToken[]> =>
      read(async (db) => {
        const rows: Selectable<Tables['issued_tokens']>[] = [];
        // One by one, so that an index has the latest of each: an address may have many tokens.
        for (const address of addresses) {
          const all = db.selectFrom('issued_tokens').selectAll().where('canonical_subject', '=', address);
          const latest = all.orderBy('issued_at', 'desc').orderBy('jti');
          rows.push(...(await latest.$if(limit !== undefined, (query) => query.limit(limit!)).execute()));
        }
        return rows
          .sort((one, other) => compare(other.issued_at, one.issued_at) || compare(one.jti, other.jti))
          .map(({ jti, subject, issued_at, expires_at }) => ({
            jti,
            subject,
            issuedAt: new Date(issued_at),
            expiresAt: new Date(expires_at),
          }));
      }),

    /** Returns the latest reads of a canonical address, at most `limit`, the latest first. */
    readsOf: (address: string, limit: number): Promise<ReadEvent[]> =>
      read(async (db) => {
        const all = db.selectFrom('reads').select(['operation', 'item', 'client', 'read_at']);
        const latest = all
          .where('canonical_subject', '=', address)
          .orderBy('read_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit);
        return (await latest.execute()).map(({ read_at, ...event }) => ({ ...event, readAt: new Date(read_at) }));
      }),

    /** Returns what was read at or after an instant, and before another. */
    readTotals: (from: Date, to: Date): Promise<ReadTotals> =>
      read((db) =>
        db
          .selectFrom('reads')
          .select((eb) => [
            eb.fn.countAll<number>().as('reads'),
            eb.fn.count<number>('canonical_subject').distinct().as('readers'),
            eb.fn.count<number>('canonical_subject').distinct().filterWhere('item', '=', 'pdf').as('pdfReaders'),
          ])
          .where('read_at', '>=', from.toISOString())
          .where('read_at', '<', to.toISOString())
          .executeTakeFirstOrThrow(),
      ),

    /** Stores what the owner notes of a canonical address; an empty note removes it. */
    noteReader: (address: string, note: string, now: Date): Promise<void> =>
      write(async (trx) => {
        if (note === '') {
          await trx.deleteFrom('reader_notes').where('canonical_subject', '=', address).execute();
          return;
        }
        const values = { note, noted_at: now.toISOString() };
        await trx
          .insertInto('reader_notes')
          .values({ canonical_subject: address, ...values })
          .onConflict((conflict) => conflict.column('canonical_subject').doUpdateSet(values))
          .execute();
      }),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Selects the readers seen last; all of them without a limit. */
function seenQuery({ text, since, address }: ReaderFilter, limit?: number): RawBuilder<Seen & { total: number }> {
  const conditions: RawBuilder<SqlBool>[] = [sql`true`];
  if (text !== undefined) conditions.push(sql`address like ${containing(toComparable(text))} escape '\\'`);
  if (address !== undefined) conditions.push(sql`address = ${address}`);
  const isRecent = since === undefined ? sql`true` : sql`max(last) >= ${since.toISOString()}`;
  // An instant has 24 characters: the first of all texts "INSTANT SUBJECT" has the address as it was first typed.
  return sql`
    select address, substr(min(first), 26) as subject, substr(min(first), 1, 24) as first, max(last) as last,
      count(*) over () as total
    from (
      select canonical_subject as address, min(issued_at || ' ' || subject) as first, max(issued_at) as last
        from issued_tokens group by canonical_subject
      union all
      select address, first || ' ' || (select subject from reads where id = first_id), last
        from (
          select canonical_subject as address, min(read_at) as first, min(id) as first_id, max(read_at) as last
          from reads group by canonical_subject
        ) as readers
      union all
      select canonical_subject, min(received_at || ' ' || subject), max(received_at)
        from contacts where canonical_subject is not null group by canonical_subject
      union all
      select canonical_subject, min(erased_at || ' ' || subject), max(erased_at)
        from erased_reads group by canonical_subject
    ) as visitors
    where ${sql.join(conditions, sql` and `)}
    group by address
    having ${isRecent}
    order by last desc, address
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
}

/** As canonical addresses are compared; a part of one is not converted to A-labels. */
const toComparable = (text: string): string =>
  text.includes('@') ? toCanonicalAddress(text) : text.normalize('NFC').toLowerCase();

async function withDetails(db: Kysely<Tables>, seen: readonly Seen[]): Promise<Reader[]> {
  if (seen.length === 0) return [];
  const addresses = seen.map(({ address }) => address);
  const reads = await db
    .selectFrom('reads')
    .select((eb) => ['canonical_subject', 'operation', 'item', eb.fn.countAll<number>().as('count')])
    .select((eb) => eb.fn.max('id').as('latest_id'))
    .where('canonical_subject', 'in', addresses)
    .groupBy(['canonical_subject', 'operation', 'item'])
    .execute();
  const readsBy = Map.groupBy(reads, ({ canonical_subject }) => canonical_subject);
  const latestIds = [...readsBy.values()].map((rows) => Math.max(...rows.map(({ latest_id }) => latest_id)));
  const latest = db.selectFrom('reads').select(['canonical_subject', 'client']);
  const clients = latestIds.length === 0 ? [] : await latest.where('id', 'in', latestIds).execute();
  const erased = await db
    .selectFrom('erased_reads')
    .select((eb) => ['canonical_subject', eb.fn.max('erased_at').as('erased_at')])
    .where('canonical_subject', 'in', addresses)
    .groupBy('canonical_subject')
    .execute();
  const notes = await db.selectFrom('reader_notes').selectAll().where('canonical_subject', 'in', addresses).execute();
  const contacts = await db
    .selectFrom('contacts')
    .select(['canonical_email', 'canonical_subject'])
    .where((eb) => eb.or([eb('canonical_email', 'in', addresses), eb('canonical_subject', 'in', addresses)]))
    .execute();
  const messages = new Map<string | null, number>();
  for (const { canonical_email, canonical_subject } of contacts)
    for (const one of new Set([canonical_email, canonical_subject])) messages.set(one, (messages.get(one) ?? 0) + 1);

  return seen.map(({ address, subject, first, last }) => {
    const isOfReader = (row: { canonical_subject: string | null }) => row.canonical_subject === address;
    const erasedAt = erased.find(isOfReader)?.erased_at;
    return {
      canonicalAddress: address,
      address: subject,
      firstSeenAt: new Date(first),
      lastSeenAt: new Date(last),
      client: clients.find(isOfReader)?.client ?? null,
      reads: (readsBy.get(address) ?? []).map(({ operation, item, count }) => ({ operation, item, count })),
      messages: messages.get(address) ?? 0,
      erasedAt: erasedAt === undefined ? null : new Date(erasedAt),
      note: notes.find(isOfReader)?.note ?? '',
    };
  });
}
