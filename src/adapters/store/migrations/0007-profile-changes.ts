import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('profile_changes')
    .addColumn('part', 'text', (column) => column.primaryKey().notNull())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .execute();
}
