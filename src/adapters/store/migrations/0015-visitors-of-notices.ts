import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // One statement for each: SQLite adds no more than one column at a time.
  for (const column of ['visitor', 'visitor_name'])
    await db.schema.alterTable('outbox').addColumn(column, 'text').execute();
}
