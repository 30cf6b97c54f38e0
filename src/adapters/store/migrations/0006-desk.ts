import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  const table = (name: string, columns: readonly string[], nullable: readonly string[] = []) =>
    columns.reduce(
      (builder, column, index) =>
        builder.addColumn(column, 'text', (added) =>
          index === 0 ? added.primaryKey().notNull() : nullable.includes(column) ? added : added.notNull(),
        ),
      db.schema.createTable(name),
    );
  await db.schema
    .alterTable('contacts')
    .addColumn('state', 'text', (added) => added.notNull().defaultTo('unread'))
    .execute();
  // The state stands after the messages, which are long.
  await db.schema.createIndex('contacts_state').on('contacts').columns(['state', 'received_at']).execute();
  await db.schema
    .createTable('reads')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('canonical_subject', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('item', 'text')
    .addColumn('surface', 'text', (column) => column.notNull())
    .addColumn('client', 'text')
    .addColumn('read_at', 'text', (column) => column.notNull())
    .execute();
  // With all that the desk counts, so that it goes through an index alone.
  const reads = (name: string) => db.schema.createIndex(name).on('reads');
  await reads('reads_subject').columns(['canonical_subject', 'operation', 'item', 'read_at']).execute();
  await reads('reads_read_at').columns(['read_at', 'canonical_subject', 'operation', 'item']).execute();
  await reads('reads_token').column('jti').execute();
  const issued = db.schema.createIndex('issued_tokens_subject').on('issued_tokens');
  await issued.columns(['canonical_subject', 'issued_at']).execute();
  await db.schema.createIndex('revocations_value').on('revocations').column('value').execute();
  await table('erased_reads', ['jti', 'subject', 'canonical_subject', 'erased_at']).execute();
  await table('reader_notes', ['canonical_subject', 'note', 'noted_at']).execute();
  await table('sign_in_links', ['hash', 'created_at', 'expires_at', 'path', 'used_at'], ['used_at']).execute();
  await table('desk_sessions', ['hash', 'created_at', 'expires_at']).execute();
  await table('owner_events', ['kind', 'at']).execute();
}
