import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('replies')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('contact_id', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('written_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('replies_contact').on('replies').columns(['contact_id', 'written_at']).execute();
  await db.schema.alterTable('outbox').addColumn('thread', 'text').execute();
}
