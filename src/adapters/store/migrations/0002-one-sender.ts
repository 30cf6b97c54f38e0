import { type Kysely, sql } from 'kysely';

/** One process at a time sends mail. Removes lanes, messages that share a mail and parts of mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'text', (column) => column.notNull())
    .execute();
  for (const index of ['outbox_lane_due', 'outbox_lane_sent', 'outbox_words'])
    await db.schema.dropIndex(index).execute();
  for (const column of ['words', 'is_part']) await db.schema.alterTable('outbox').dropColumn(column).execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('outbox').columns(columns).where(sql.ref('due_at'), 'is not', null);
  // In the order of sending.
  await index('outbox_waiting', ['kind desc', 'due_at']).where(sql.ref('mail_id'), 'is', null).execute();
  await index('outbox_tried', ['mail_id']).where(sql.ref('mail_id'), 'is not', null).execute();
}
