import type { Kysely, Transaction } from 'kysely';
import type { Read, Write } from '../database.ts';
import { seenOf } from '../desk/seen.ts';
import type { Tables } from '../tables.ts';
import { exclusively } from '../visitor-data.ts';

/**
 * Erases the notes of readers who were last seen before an instant, if nothing else is kept of them, at most `atOnce` in a transaction;
 * returns how many. For the others it stores when they were last seen, so call it before and after the data that shows this is erased.
 */
export async function eraseExpiredNotes(read: Read, write: Write, before: Date, atOnce: number): Promise<number> {
  let erased = 0;
  let page = await read((db) => notesAfter(db, '', atOnce));
  while (page.length > 0) {
    const notes = page;
    erased += await write((trx) => eraseFrom(trx, notes, before.toISOString()), exclusively);
    page = page.length < atOnce ? [] : await read((db) => notesAfter(db, notes.at(-1)!.canonical_subject, atOnce));
  }
  return erased;
}

type Note = Pick<Tables['reader_notes'], 'canonical_subject' | 'noted_at' | 'seen_at'>;

const notesAfter = (db: Kysely<Tables>, address: string, limit: number): Promise<Note[]> =>
  db
    .selectFrom('reader_notes')
    .select(['canonical_subject', 'noted_at', 'seen_at'])
    .where('canonical_subject', '>', address)
    .orderBy('canonical_subject')
    .limit(limit)
    .execute();

async function eraseFrom(trx: Transaction<Tables>, notes: readonly Note[], before: string): Promise<number> {
  const readers = await seenOf(
    trx,
    notes.map(({ canonical_subject }) => canonical_subject),
  );
  const expired: string[] = [];
  for (const { canonical_subject, noted_at, seen_at } of notes) {
    const reader = readers.find(({ address }) => address === canonical_subject);
    const last = reader?.last ?? noted_at;
    const ofReader = trx.updateTable('reader_notes').where('canonical_subject', '=', canonical_subject);
    if (last !== seen_at) await ofReader.set({ seen_at: last }).execute();
    if (last < before && !reader?.traces) expired.push(canonical_subject);
  }
  if (expired.length > 0) await trx.deleteFrom('reader_notes').where('canonical_subject', 'in', expired).execute();
  return expired.length;
}
