import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  // With the address, so that the readers seen last are found in the index alone.
  await index('issued_tokens_issued_at', 'issued_tokens', ['issued_at', 'canonical_subject']);
  await index('issued_tokens_expires_at', 'issued_tokens', ['expires_at']);
  await index('outbox_about', 'outbox', ['kind', 'about']);
  await index('contacts_subject', 'contacts', ['canonical_subject', 'received_at']);
  await index('contacts_email', 'contacts', ['canonical_email']);
  await index('contacts_received_at', 'contacts', ['received_at']);
}
