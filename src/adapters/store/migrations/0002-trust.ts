import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('contact_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_primary', ['subject', 'key'])
    .execute();
  await db.schema
    .createTable('quota_windows')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute();
  for (const column of ['about', 'line'])
    await db.schema
      .alterTable('outbox')
      .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
      .execute();
  for (const column of ['words', 'mail_id']) await db.schema.alterTable('outbox').addColumn(column, 'text').execute();
  // Mails that were tried before keep their Message-ID.
  await db
    .updateTable('outbox')
    .set({ mail_id: sql.ref('id') })
    .where('attempts', '>', 0)
    .execute();
  await db
    .updateTable('outbox')
    .set({ line: sql.ref('subject') })
    .execute();
  await db.schema.createIndex('outbox_mail_id').on('outbox').column('mail_id').execute();
  await db.schema.createIndex('outbox_sent_at').on('outbox').column('sent_at').execute();
}
