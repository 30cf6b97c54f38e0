import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ContactState, InboxView, StoredContact } from '../../../model/contact.ts';
import { toCanonicalAddress } from '../../../model/email-address.ts';
import type { Database, Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { isOfVisitor, toContact } from '../visitor-data.ts';
import { containing } from './pattern.ts';

/** The contact requests as the owner works through them. */
export function inboxOf(read: Read, write: Write, lowerCase: Database['lowerCase']) {
  return {
    /** Returns the contact requests of a view, the latest first; all of them unless a part is given. */
    async contactsIn(
      view: InboxView,
      part?: { readonly offset: number; readonly limit: number },
    ): Promise<StoredContact[]> {
      const rows = await read((db) =>
        db
          .selectFrom('contacts')
          .selectAll()
          .where((eb) => isIn(eb, view, lowerCase))
          .orderBy('received_at', 'desc')
          .orderBy('id')
          .$if(part !== undefined, (query) => query.limit(part!.limit).offset(part!.offset))
          .execute(),
      );
      return rows.map(toContact);
    },

    /** Returns the contact request with an id; null if none has it. */
    async findContact(id: string): Promise<StoredContact | null> {
      const row = await read((db) => db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirst());
      return row === undefined ? null : toContact(row);
    },

    async countUnread(): Promise<number> {
      const { count } = await read((db) =>
        db
          .selectFrom('contacts')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('state', '=', 'unread')
          .executeTakeFirstOrThrow(),
      );
      return Number(count);
    },

    /** Sets the state of a contact request; with `from`, only if it has that state. */
    setContactState: (id: string, state: ContactState, from?: ContactState): Promise<void> =>
      write(async (trx) => {
        const update = trx.updateTable('contacts').set({ state }).where('id', '=', id);
        await (from === undefined ? update : update.where('state', '=', from)).execute();
      }),

    /** Returns how much `eraseVisitor` would erase. */
    countOfVisitor: (email: string): Promise<{ readonly contacts: number; readonly tokens: number }> =>
      read(async (db) => {
        const address = toCanonicalAddress(email);
        const contacts = db.selectFrom('contacts').where(isOfVisitor(address));
        const tokens = db.selectFrom('issued_tokens').where('canonical_subject', '=', address);
        const [of, issued] = [
          await contacts.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow(),
          await tokens.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow(),
        ];
        return { contacts: Number(of.count), tokens: Number(issued.count) };
      }),
  };
}

const searched = ['name', 'company', 'email', 'message'] as const;

/** Whether a contact request has one of the states and, in any case, the text. */
function isIn(
  eb: ExpressionBuilder<Tables, 'contacts'>,
  { states, search }: InboxView,
  lowerCase: Database['lowerCase'],
) {
  const isOfState = eb('state', 'in', states);
  if (search === '') return isOfState;
  const pattern = containing(search.toLowerCase());
  const hasText = (column: (typeof searched)[number]) =>
    sql<SqlBool>`${lowerCase(eb.ref(column))} like ${pattern} escape '\\'`;
  return eb.and([isOfState, eb.or(searched.map(hasText))]);
}
