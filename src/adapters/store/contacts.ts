import { type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Contact, ContactState, InboxView, StoredContact } from '../../model/contact.ts';
import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import type { IssuedToken } from '../../model/token.ts';
import { byAddress, readVisitor, toVisitorText, type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { Sender } from '../../operations/ports.ts';
import { type Access, countOf, type Database, toSubjectColumns } from './database.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import { containing } from './readers.ts';
import { isOfVisitor } from './registry.ts';
import type { Tables } from './tables.ts';
import { recordIdOf, refuseRevoked } from './tokens.ts';

export function contactsOf({ read, write, change, database: { lowerCase } }: Access) {
  const select = (choose: (all: ReturnType<typeof latestFirst>) => ReturnType<typeof latestFirst>) =>
    read(async (db) => (await choose(latestFirst(db)).execute()).map(toContact));

  return {
    add: (
      { receivedAt, subject, ...contact }: Contact,
      notice: Notice,
      sender: Sender | null,
      charges: readonly QuotaCharge[] = [],
    ): Promise<string> =>
      write(async (trx) => {
        const keptId = sender === null ? contact.id : await checkAndClaim(trx, sender, contact.id, receivedAt);
        if (keptId !== contact.id) return keptId;
        await countUses(trx, charges, receivedAt);
        await trx
          .insertInto('contacts')
          .values({
            ...contact,
            received_at: receivedAt.toISOString(),
            state: 'unread',
            canonical_email: visitorKeyOf(byAddress(contact.email)),
            ...(subject === null ? { subject, canonical_subject: null } : toSubjectColumns(subject)),
            jti: sender && recordIdOf(sender.token.jti),
          })
          .execute();
        await queueNotice(trx, notice, receivedAt);
        return keptId;
      }),

    /** Whether a contact request of the sender holds the key, and the key has not expired. */
    hasKey: (sender: IssuedToken, key: string, now: Date): Promise<boolean> =>
      read(async (db) => {
        const holder = holderOf(db, sender, key).where('created_at', '>', keysExpiredAt(now));
        return (await holder.executeTakeFirst()) !== undefined;
      }),

    list: (visitor?: Visitor): Promise<StoredContact[]> =>
      select((all) => (visitor === undefined ? all : all.where(isOfVisitor('contacts', visitor)))),

    /** Returns contact requests whose ids begin with a text, at most 100. */
    listByIdPrefix: (prefix: string): Promise<StoredContact[]> =>
      select((all) => all.where(sql<SqlBool>`substr(id, 1, ${prefix.length}) = ${prefix}`).limit(100)),

    /** Returns the contact requests of a token or, if it has a grant, of all its tokens; the latest first. */
    sentWith: (tokenId: string, limit: number): Promise<Contact[]> =>
      select((all) => all.where('jti', '=', recordIdOf(tokenId)).limit(limit)),

    /** Returns the contact requests of a view, the latest first; without `part`, all of them. */
    listIn: (view: InboxView, part?: { readonly offset: number; readonly limit: number }): Promise<StoredContact[]> =>
      select((all) => {
        const matching = all.where((eb) => isIn(eb, view, lowerCase)).orderBy('id');
        return part === undefined ? matching : matching.limit(part.limit).offset(part.offset);
      }),

    /** Returns the messages received since, except spam: the latest, at most `limit`, and how many there are. */
    listSince: (since: Date, limit: number): Promise<{ messages: StoredContact[]; total: number }> =>
      read(async (db) => {
        const received = db.selectFrom('contacts').where('received_at', '>=', since.toISOString());
        const all = received.where('state', '!=', 'spam');
        const rows = await all.selectAll().orderBy('received_at', 'desc').limit(limit).execute();
        return { total: await countOf(all), messages: rows.map(toContact) };
      }),

    find: async (id: string): Promise<StoredContact | null> =>
      (await select((all) => all.where('id', '=', id)))[0] ?? null,

    countUnread: (): Promise<number> => read((db) => countOf(db.selectFrom('contacts').where('state', '=', 'unread'))),

    /** Sets the state of a contact request; with `from`, only if it has that state. */
    setState: (id: string, state: ContactState, from?: ContactState): Promise<void> =>
      change((trx) => {
        const update = trx.updateTable('contacts').set({ state }).where('id', '=', id);
        return from === undefined ? update : update.where('state', '=', from);
      }),
  };
}

const latestFirst = (db: Kysely<Tables>) => db.selectFrom('contacts').selectAll().orderBy('received_at', 'desc');

const searched = ['name', 'company', 'email', 'message'] as const;

/** Whether a contact request has one of the states and contains the text, ignoring case. */
function isIn(
  eb: ExpressionBuilder<Tables, 'contacts'>,
  { states, search, links = [] }: InboxView,
  lowerCase: Database['lowerCase'],
) {
  const isOfState = eb('state', 'in', states);
  if (search === '') return isOfState;
  const pattern = containing(search.toLowerCase());
  const hasText = (column: (typeof searched)[number]) =>
    sql<SqlBool>`${lowerCase(eb.ref(column))} like ${pattern} escape '\\'`;
  const isOfLink = links.length === 0 ? [] : [eb('canonical_subject', 'in', links)];
  return eb.and([isOfState, eb.or([...searched.map(hasText), ...isOfLink])]);
}

const day = 24 * 60 * 60 * 1_000;

/** Returns the cut-off: keys stored at this time or earlier have expired. */
const keysExpiredAt = (now: Date): string => new Date(now.getTime() - day).toISOString();

/** Returns the scope of an idempotency key: the e-mail address, or one opening of a link, which many people share. */
const keyOwnerOf = ({ subject, jti }: IssuedToken) =>
  subject.kind === 'link' ? recordIdOf(jti) : toVisitorText(subject);

const holderOf = (db: Kysely<Tables>, sender: IssuedToken, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'contact_id'])
    .where('subject', '=', keyOwnerOf(sender))
    .where('key', '=', key);

/** Claims the sender's key; returns the contact request of it. Throws `UNAUTHORIZED` and `IDEMPOTENCY_MISMATCH`. */
async function checkAndClaim(trx: Transaction<Tables>, sender: Sender, contactId: string, now: Date): Promise<string> {
  await refuseRevoked(trx, sender);
  if (sender.claim === null) return contactId;
  const { key, fingerprint } = sender.claim;
  const row = {
    subject: keyOwnerOf(sender.token),
    key,
    fingerprint,
    contact_id: contactId,
    created_at: now.toISOString(),
  };
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'key'])
        .doUpdateSet(row)
        .where('idempotency_keys.created_at', '<=', keysExpiredAt(now)),
    )
    .returning('contact_id')
    .executeTakeFirst();
  if (claimed) return contactId;
  const holder = await holderOf(trx, sender.token, key).executeTakeFirstOrThrow();
  if (holder.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_MISMATCH');
  return holder.contact_id;
}

const toContact = ({
  received_at,
  canonical_email,
  canonical_subject,
  jti,
  ...row
}: Selectable<Tables['contacts']>): StoredContact => ({
  ...row,
  subject: row.subject && readVisitor(row.subject),
  receivedAt: new Date(received_at),
});
