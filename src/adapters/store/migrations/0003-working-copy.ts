import { type Kysely, sql } from 'kysely';

/** Adds the working copy of the profile and its changes. Drafts become proposals, which start anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('working_copy')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('base_revision', 'text', (column) => column.notNull())
    .addColumn('conflicts', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('base_text', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('working_changes')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('step', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('patch', 'text')
    .addColumn('text', 'text')
    .execute();
  await db.schema.alterTable('profile_drafts').renameTo('proposals').execute();
  await sql`update proposals set saved_at = ${new Date().toISOString()}`.execute(db);
}
