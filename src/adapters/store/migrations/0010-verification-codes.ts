import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('verification_codes')
    .addColumn('request_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('canonical_subject', 'text', (column) => column.notNull())
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('verification_codes_subject')
    .on('verification_codes')
    .column('canonical_subject')
    .execute();
  await db.schema.createIndex('verification_codes_expiry').on('verification_codes').column('expires_at').execute();
  await db.schema.alterTable('outbox').addColumn('recipient', 'text').execute();
}
