import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .execute();
  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('canonical_subject', 'text', (column) => column.notNull())
    .addColumn('is_verified', 'integer', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('is_for_mcp', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('oauth_records')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('grant_id', 'text')
    .addColumn('canonical_subject', 'text')
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('consumed_at', 'text')
    .execute();
  await db.schema.alterTable('issued_tokens').addColumn('grant_id', 'text').execute();
  const index = (name: string, table: string) => db.schema.createIndex(name).on(table);
  await index('oauth_clients_registered', 'oauth_clients').column('registered_at').execute();
  await index('oauth_grants_subject', 'oauth_grants').columns(['canonical_subject', 'created_at']).execute();
  await index('oauth_grants_client', 'oauth_grants').column('client_id').execute();
  await index('oauth_grants_expiry', 'oauth_grants').column('expires_at').execute();
  await index('oauth_records_grant', 'oauth_records').column('grant_id').execute();
  await index('oauth_records_subject', 'oauth_records').column('canonical_subject').execute();
  await index('oauth_records_expiry', 'oauth_records').column('expires_at').execute();
  const granted = index('issued_tokens_grant', 'issued_tokens').column('grant_id');
  await granted.where('grant_id', 'is not', null).execute();
}
