import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { eraseContacts, isOfVisitor } from './contacts.ts';
import { type ErasedRows, exclusively, type Read, type Write } from './database.ts';
import { eraseCodes } from './oauth.ts';
import { eraseGrants } from './oauth-grants.ts';
import type { Tables } from './tables.ts';
import { eraseTokens } from './tokens.ts';

/** How many contact requests, tokens, grants, reads and notes were erased, and the ids of the mails that reported them, for `removeMailFiles`. */
export interface Erased {
  readonly contacts: number;
  readonly tokens: number;
  readonly grants: number;
  readonly reads: number;
  readonly notes: number;
  readonly mails: readonly string[];
}

/** The data of visitors, as the owner lists and erases it. Erasing deletes rows; `scrub` then removes their bytes from the files. */
export function visitorsOf(read: Read, write: Write) {
  return {
    /**
     * Returns what is kept of a visitor besides contact requests, whichever way the address is spelled, the oldest first: without
     * hashes of secrets, and without what of a request under way could continue it.
     */
    traces(email: string) {
      const address = toCanonicalAddress(email);
      return read(async (db) => ({
        tokens: await db
          .selectFrom('issued_tokens')
          .select(['jti', 'subject', 'issued_at', 'expires_at', 'grant_id'])
          .where('canonical_subject', '=', address)
          .orderBy('issued_at')
          .execute(),
        grants: (
          await db
            .selectFrom('oauth_grants')
            .selectAll()
            .where('canonical_subject', '=', address)
            .orderBy('created_at')
            .execute()
        ).map(({ canonical_subject, is_verified, is_for_mcp, ...grant }) => ({
          ...grant,
          is_verified: is_verified === 1,
          is_for_mcp: is_for_mcp === 1,
        })),
        reads: await db
          .selectFrom('reads')
          .select(['jti', 'subject', 'operation', 'item', 'surface', 'client', 'read_at'])
          .where('canonical_subject', '=', address)
          .orderBy('id')
          .execute(),
        erased_reads: await db
          .selectFrom('erased_reads')
          .select(['jti', 'subject', 'erased_at'])
          .where('canonical_subject', '=', address)
          .execute(),
        notes: await db
          .selectFrom('reader_notes')
          .select(['note', 'noted_at', 'seen_at'])
          .where('canonical_subject', '=', address)
          .execute(),
        oauth_records: (
          await db
            .selectFrom('oauth_records')
            .select(['grant_id', 'payload', 'expires_at', 'consumed_at'])
            .where(isRecordOf(address))
            .orderBy('expires_at')
            .execute()
        ).map(toShownRecord),
        verification_codes: await db
          .selectFrom('verification_codes')
          .select(['tries', 'expires_at'])
          .where('canonical_subject', '=', address)
          .execute(),
      }));
    },

    /** Returns how much `erase` would erase. */
    count: (email: string): Promise<{ readonly contacts: number; readonly tokens: number }> =>
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

    /**
     * Erases a visitor's contact requests, tokens, grants, codes, idempotency keys and notices, what they have read and what the owner has
     * noted of them, whichever way the address is spelled in them.
     */
    erase: (email: string): Promise<Erased> =>
      write(async (trx) => {
        const address = toCanonicalAddress(email);
        const ofVisitor = sql<SqlBool>`canonical_subject = ${address}`;
        const contacts = await eraseContacts(trx, isOfVisitor(address));
        const tokens = await eraseTokens(trx, ofVisitor);
        const grants = await eraseGrants(trx, address);
        await eraseCodes(trx, address);
        const reads = await trx.deleteFrom('reads').where(ofVisitor).executeTakeFirstOrThrow();
        await trx.deleteFrom('erased_reads').where(ofVisitor).execute();
        const notes = await trx.deleteFrom('reader_notes').where(ofVisitor).executeTakeFirstOrThrow();
        // The page of the desk that a link leads to may name a visitor.
        await trx.updateTable('sign_in_links').set({ path: '/desk' }).execute();
        return toErased({ contacts, tokens, grants }, reads.numDeletedRows, notes.numDeletedRows);
      }, exclusively),

    /** Erases one contact request with its notice and idempotency key. */
    eraseContact: (id: string): Promise<Erased> =>
      write(
        async (trx) =>
          toErased({ contacts: await eraseContacts(trx, sql`id = ${id}`), tokens: none, grants: none }, 0n, 0n),
        exclusively,
      ),
  };
}

/** The fields of a record that say what it is for; a request has some of them among the parameters that the client sent. */
interface Payload {
  readonly kind: string;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly params?: { readonly client_id?: string; readonly redirect_uri?: string; readonly scope?: string };
}

function toShownRecord({ payload, ...row }: Omit<Selectable<Tables['oauth_records']>, 'id' | 'canonical_subject'>) {
  const { kind, params = {}, clientId, redirectUri, scope }: Payload = JSON.parse(payload);
  return {
    kind,
    client_id: clientId ?? params.client_id ?? null,
    redirect_uri: redirectUri ?? params.redirect_uri ?? null,
    scope: scope ?? params.scope ?? null,
    ...row,
  };
}

type Condition = RawBuilder<SqlBool>;

const isRecordOf = (address: string): Condition => sql`(canonical_subject = ${address}
  or grant_id in (select id from oauth_grants where canonical_subject = ${address}))`;

const none: ErasedRows = { count: 0, mails: [] };

function toErased(
  { contacts, tokens, grants }: Record<'contacts' | 'tokens' | 'grants', ErasedRows>,
  reads: bigint,
  notes: bigint,
): Erased {
  const mails = [contacts, tokens, grants].flatMap((rows) => rows.mails).flatMap(({ mail_id }) => mail_id ?? []);
  return {
    contacts: contacts.count,
    tokens: tokens.count,
    grants: grants.count,
    reads: Number(reads),
    notes: Number(notes),
    mails: [...new Set(mails)],
  };
}
