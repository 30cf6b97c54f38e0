import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // Null in the rows of earlier versions.
  await db.schema.alterTable('contacts').addColumn('jti', 'text').execute();
  // With all that visits are counted from, so that the desk goes through an index alone.
  const reindex = async (name: string, table: string, columns: readonly string[]) => {
    await db.schema.dropIndex(name).execute();
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  };
  await reindex('reads_read_at', 'reads', ['read_at', 'canonical_subject', 'jti', 'operation', 'item']);
  await reindex('contacts_received_at', 'contacts', ['received_at', 'state', 'canonical_subject', 'jti']);
  await reindex('contacts_subject', 'contacts', ['canonical_subject', 'received_at', 'state']);
  await db.schema.createIndex('contacts_jti').on('contacts').column('jti').execute();
}
