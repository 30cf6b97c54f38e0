import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // Null, because a replica of the version before stores notes without it.
  await db.schema.alterTable('reader_notes').addColumn('seen_at', 'text').execute();
  await db
    .updateTable('reader_notes')
    .set((eb) => ({ seen_at: eb.ref('noted_at') }))
    .execute();
}
