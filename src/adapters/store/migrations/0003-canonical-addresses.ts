import type { Kysely } from 'kysely';
import { byAddress, readVisitor, visitorKeyOf } from '../../../model/visitor.ts';
import type { Tables } from '../tables.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  for (const [table, column] of [
    ['contacts', 'canonical_email'],
    ['issued_tokens', 'canonical_subject'],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
      .execute();
  await db.schema.alterTable('contacts').addColumn('canonical_subject', 'text').execute();
  for (const { id, email, subject } of await db.selectFrom('contacts').select(['id', 'email', 'subject']).execute())
    await db
      .updateTable('contacts')
      .set({ canonical_email: visitorKeyOf(byAddress(email)) })
      .set({ canonical_subject: subject && visitorKeyOf(readVisitor(subject)) })
      .where('id', '=', id)
      .execute();
  for (const { jti, subject } of await db.selectFrom('issued_tokens').select(['jti', 'subject']).execute())
    await db
      .updateTable('issued_tokens')
      .set({ canonical_subject: visitorKeyOf(readVisitor(subject)) })
      .where('jti', '=', jti)
      .execute();
}
