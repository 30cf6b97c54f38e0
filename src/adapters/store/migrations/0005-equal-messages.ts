import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.dropIndex('outbox_due_at').execute(); // outbox_lane_due has taken its place
  // With `mail_id`, which is null while a notice waits: SQLite would go through all that wait otherwise.
  const words = db.schema.createIndex('outbox_words').on('outbox').columns(['words', 'mail_id']);
  await words.where('words', 'is not', null).execute();
}
