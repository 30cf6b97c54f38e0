import type { Kysely } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import type { Reply, StoredReply } from '../../model/reply.ts';
import { type Access, toDate } from './database.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import type { Tables } from './tables.ts';

export function repliesOf({ read, write }: Access) {
  return {
    /** Stores a reply with its mail, unless one has the id; returns whether. Throws `RATE_LIMITED` and `NOT_FOUND`. */
    add: ({ id, contactId: contact_id, text, writtenAt }: Reply, mail: Notice, charges: readonly QuotaCharge[]) =>
      write(async (trx): Promise<boolean> => {
        const contact = trx.selectFrom('contacts').select('id').where('id', '=', contact_id);
        if ((await contact.executeTakeFirst()) === undefined) throw new Failure('NOT_FOUND');
        const thread = await mailsAbout(trx, contact_id);
        const inserted = await trx
          .insertInto('replies')
          .values({ id, contact_id, text, written_at: writtenAt.toISOString() })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted === undefined) return false;
        await countUses(trx, charges, writtenAt);
        await trx.updateTable('contacts').set({ state: 'replied' }).where('id', '=', contact_id).execute();
        await queueNotice(trx, { ...mail, thread }, writtenAt, id);
        return true;
      }),

    async listOf(contactId: string): Promise<StoredReply[]> {
      const rows = await read((db) =>
        db
          .selectFrom('replies')
          .leftJoin('outbox', 'outbox.id', 'replies.id')
          .select(['replies.id', 'contact_id', 'replies.text', 'written_at', 'outbox.id as mail'])
          .select(['sent_at', 'due_at', 'last_error'])
          .where('contact_id', '=', contactId)
          .orderBy('written_at')
          .execute(),
      );
      return rows.map(({ id, contact_id, text, written_at, mail, sent_at, due_at, last_error }) => {
        // The mail of a reply is erased some days after it was sent.
        const isSent = mail === null || sent_at !== null;
        return {
          id,
          contactId: contact_id,
          text,
          writtenAt: new Date(written_at),
          state: isSent ? 'sent' : due_at === null ? 'failed' : 'waiting',
          sentAt: toDate(sent_at),
          lastError: last_error,
          nextTryAt: isSent || due_at === null || last_error === null ? null : new Date(due_at),
        };
      });
    },
  };
}

/** Returns the ids of the mail with the notice of a contact request, if it is stored, and of the latest reply to it. */
async function mailsAbout(db: Kysely<Tables>, contactId: string): Promise<readonly string[]> {
  const notice = await db
    .selectFrom('outbox')
    .select('mail_id')
    .where('kind', '=', 'contact_request')
    .where('about', '=', contactId)
    .executeTakeFirst();
  const replies = db.selectFrom('replies').select('id').where('contact_id', '=', contactId);
  const latest = await replies.orderBy('written_at', 'desc').limit(1).executeTakeFirst();
  return [notice?.mail_id ?? [], latest?.id ?? []].flat();
}
