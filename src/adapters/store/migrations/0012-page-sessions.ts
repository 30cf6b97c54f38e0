import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('page_sessions')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('is_remembered', 'integer', (column) => column.notNull())
    .addColumn('is_token_shown', 'integer', (column) => column.notNull())
    .addColumn('unconfirmed_id', 'text')
    .addColumn('draft', 'text')
    .execute();
  for (const column of ['jti', 'expires_at'])
    await db.schema.createIndex(`page_sessions_${column}`).on('page_sessions').column(column).execute();
  await db.schema.alterTable('issued_tokens').addColumn('page_report', 'text').execute();
}
