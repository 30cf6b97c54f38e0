import { type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { Contact, ContactState, InboxView, StoredContact } from '../../model/contact.ts';
import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import type { IssuedToken } from '../../model/token.ts';
import { byAddress, readVisitor, toVisitorText, type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { Sender } from '../../operations/ports.ts';
import { type Access, countOf, type Database } from './database.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import { isOfVisitor } from './registry.ts';
import { containing } from './seen.ts';
import { type Tables, toSubjectColumns } from './tables.ts';
import { recordIdOf, refuseRevoked } from './tokens.ts';

type LowerCase = Database['lowerCase'];

/** The contact requests and their idempotency keys; `onMailQueued` is called after the commit of a notice. */
export function contactsOf({ read, readMarkingOutage, write }: Access, lowerCase: LowerCase, onMailQueued: () => void) {
  return {
    async add(
      { receivedAt, subject, ...contact }: Contact,
      notice: Notice,
      sender: Sender | null,
      charges: readonly QuotaCharge[] = [],
    ): Promise<string> {
      const id = await write(async (trx) => {
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
            jti: sender && (await recordIdOf(trx, sender.token.jti)),
          })
          .execute();
        await queueNotice(trx, notice, receivedAt);
        return keptId;
      });
      if (id === contact.id) onMailQueued();
      return id;
    },

    hasKey: (sender: IssuedToken, key: string, now: Date) => readMarkingOutage((db) => hasKey(db, sender, key, now)),

    /** Returns the contact requests, the latest first: all, or those of one visitor. */
    async list(visitor?: Visitor): Promise<StoredContact[]> {
      const rows = await read((db) => {
        const all = db.selectFrom('contacts').selectAll().orderBy('received_at', 'desc');
        return (visitor === undefined ? all : all.where(isOfVisitor('contacts', visitor))).execute();
      });
      return rows.map(toContact);
    },

    /** Returns contact requests whose ids begin with a text, at most 100. */
    async listByIdPrefix(prefix: string): Promise<StoredContact[]> {
      const beginsSo = sql<SqlBool>`substr(id, 1, ${prefix.length}) = ${prefix}`;
      const rows = await read((db) => db.selectFrom('contacts').selectAll().where(beginsSo).limit(100).execute());
      return rows.map(toContact);
    },

    /** Returns the contact requests sent with a token or, if a client has it, with those of its grant; the latest first. */
    async sentWith(tokenId: string, limit: number): Promise<Contact[]> {
      const rows = await read(async (db) => {
        const sent = db
          .selectFrom('contacts')
          .selectAll()
          .where('jti', '=', await recordIdOf(db, tokenId));
        return await sent.orderBy('received_at', 'desc').limit(limit).execute();
      });
      return rows.map(toContact);
    },

    /** Returns the contact requests of a view, the latest first; all of them unless a part is given. */
    async listIn(
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

    /** Returns the messages received since, except spam: the latest, at most `limit`, and how many there are. */
    listSince: (since: Date, limit: number): Promise<{ messages: StoredContact[]; total: number }> =>
      read(async (db) => {
        const received = db.selectFrom('contacts').where('received_at', '>=', since.toISOString());
        const all = received.where('state', '!=', 'spam');
        const rows = await all.selectAll().orderBy('received_at', 'desc').limit(limit).execute();
        return { total: await countOf(all), messages: rows.map(toContact) };
      }),

    /** Returns the contact request with an id; null if none has it. */
    async find(id: string): Promise<StoredContact | null> {
      const row = await read((db) => db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirst());
      return row === undefined ? null : toContact(row);
    },

    countUnread: (): Promise<number> => read((db) => countOf(db.selectFrom('contacts').where('state', '=', 'unread'))),

    /** Sets the state of a contact request; with `from`, only if it has that state. */
    setState: (id: string, state: ContactState, from?: ContactState): Promise<void> =>
      write(async (trx) => {
        const update = trx.updateTable('contacts').set({ state }).where('id', '=', id);
        await (from === undefined ? update : update.where('state', '=', from)).execute();
      }),
  };
}

const searched = ['name', 'company', 'email', 'message'] as const;

/** Whether a contact request has one of the states and, in any case, the text. */
function isIn(
  eb: ExpressionBuilder<Tables, 'contacts'>,
  { states, search, links = [] }: InboxView,
  lowerCase: LowerCase,
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

/** Returns the cut-off: keys stored then or before have expired. */
const keysExpiredAt = (now: Date): string => new Date(now.getTime() - day).toISOString();

/** Returns whose keys a sender's are: those of its address or, since many people may open one link, of the opening. */
const keyOwnerOf = async (db: Kysely<Tables>, { subject, jti }: IssuedToken): Promise<string> =>
  subject.kind === 'link' ? await recordIdOf(db, jti) : toVisitorText(subject);

/** The request that holds a key, expired or not. */
const holderOf = (db: Kysely<Tables>, owner: string, key: string) =>
  db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'contact_id'])
    .where('subject', '=', owner)
    .where('key', '=', key);

/**
 * Claims the sender's key, if any, for a contact request and returns `contactId`, or the id of the request that holds
 * the key already, unless that has expired. The write lock serializes claims. Throws `UNAUTHORIZED` if the sender's
 * token is revoked, and `IDEMPOTENCY_MISMATCH` if the fingerprints differ.
 */
async function checkAndClaim(trx: Transaction<Tables>, sender: Sender, contactId: string, now: Date): Promise<string> {
  await refuseRevoked(trx, sender);
  if (sender.claim === null) return contactId;
  const { key, fingerprint } = sender.claim;
  const owner = await keyOwnerOf(trx, sender.token);
  const row = {
    subject: owner,
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
  const holder = await holderOf(trx, owner, key).executeTakeFirstOrThrow();
  if (holder.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_MISMATCH');
  return holder.contact_id;
}

/** Whether a contact request of the sender holds the key, and the key has not expired. */
async function hasKey(db: Kysely<Tables>, sender: IssuedToken, key: string, now: Date): Promise<boolean> {
  const current = holderOf(db, await keyOwnerOf(db, sender), key).where('created_at', '>', keysExpiredAt(now));
  return (await current.executeTakeFirst()) !== undefined;
}

type Row = Selectable<Tables['contacts']>;

const toContact = ({ received_at, canonical_email, canonical_subject, jti, ...row }: Row): StoredContact => ({
  ...row,
  subject: row.subject && readVisitor(row.subject),
  receivedAt: new Date(received_at),
});
