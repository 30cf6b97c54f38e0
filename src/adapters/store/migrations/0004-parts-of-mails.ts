import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable('outbox')
    .addColumn('is_part', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  const untried = db.updateTable('outbox').where('mail_id', 'is not', null).where('attempts', '=', 0);
  await untried.set({ is_part: 1 }).execute();
  // Queried at each new notice, when many may wait and many have been sent.
  const outbox = (name: string) => db.schema.createIndex(name).on('outbox');
  const due = outbox('outbox_lane_due').columns(['kind', 'is_part', 'due_at']);
  await due.where('due_at', 'is not', null).execute();
  const sent = outbox('outbox_lane_sent').columns(['kind', 'is_part', 'sent_at', 'mail_id']);
  await sent.where('sent_at', 'is not', null).execute();
}
