import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('profile_versions')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('kept_at', 'text', (column) => column.notNull())
    // Last: SQLite reads the columns before a long text without it.
    .addColumn('text', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('profile_drafts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('base_revision', 'text', (column) => column.notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('saved_at', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute();
}
