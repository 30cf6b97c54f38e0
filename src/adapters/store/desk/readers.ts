import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ReadEvent, Reader, ReadTotals } from '../../../model/reader.ts';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { addressesAfter, countReaders, type ReaderFilter, type Seen, seenLast, seenOf } from './seen.ts';

const addressesAtOnce = 1_000;

/** Visitors as the owner's desk shows them, with what they read as long as it is kept. */
export function readersOf(read: Read, write: Write) {
  return {
    /** Returns the readers seen last, at most `limit`, and how many there are; null if there are more than `maxCounted`. */
    listReaders: (filter: ReaderFilter, limit: number): Promise<{ readers: Reader[]; total: number | null }> =>
      read(async (db) => {
        const { addresses, isAll } = await seenLast(db, filter, limit);
        const seen = await seenOf(db, addresses);
        return { readers: await withDetails(db, seen), total: isAll ? seen.length : await countReaders(db, filter) };
      }),

    /** Yields the canonical addresses of all readers, in batches: first those seen last. */
    async *readerAddresses(batchSize = addressesAtOnce): AsyncGenerator<readonly string[]> {
      const { addresses, isAll } = await read((db) => seenLast(db, {}, batchSize));
      yield addresses;
      if (isAll) return;
      let batch: readonly string[] = [];
      do {
        batch = await read((db) => addressesAfter(db, batch.at(-1) ?? '', batchSize));
        yield batch;
        await nextTurn(); // with SQLite, a read ends in the turn of the event loop that it begins in
      } while (batch.length === batchSize);
    },

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
        const noted_at = now.toISOString();
        const [reader] = await seenOf(trx, [address]);
        const values = { note, noted_at, seen_at: reader?.last ?? noted_at };
        await trx
          .insertInto('reader_notes')
          .values({ canonical_subject: address, ...values })
          .onConflict((conflict) => conflict.column('canonical_subject').doUpdateSet(values))
          .execute();
      }),
  };
}

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
