import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  for (const table of ['issued_tokens', 'oauth_grants'] as const) {
    await db.schema.alterTable(table).addColumn('view', 'text').execute();
    // Each process reads the few that have one every second.
    await db.schema.createIndex(`${table}_view`).on(table).column('view').where('view', 'is not', null).execute();
  }
}
