import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('mail_schedules')
    .addColumn('kind', 'text', (column) => column.primaryKey().notNull())
    .addColumn('schedule', 'text', (column) => column.notNull())
    .execute();
}
