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
  // One statement for each: SQLite adds no more than one column at a time.
  for (const column of ['thread', 'visitor', 'visitor_name'])
    await db.schema.alterTable('outbox').addColumn(column, 'text').execute();
  await db.schema
    .createTable('mail_schedules')
    .addColumn('kind', 'text', (column) => column.primaryKey().notNull())
    .addColumn('schedule', 'text', (column) => column.notNull())
    .execute();
}
