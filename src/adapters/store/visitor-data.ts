import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { Contact } from '../../operations/ports.ts';
import type { Write } from './group-commit.ts';
import { keysExpiredAt } from './idempotency-keys.ts';
import type { Tables } from './migrations.ts';

/** How many contact requests and tokens were erased; `mails` are the ids of the e-mails that told of them. */
export interface Erased {
  readonly contacts: number;
  readonly tokens: number;
  readonly mails: readonly string[];
}

/** What visitors have left, as the owner lists and erases it. */
export function visitorDataOf(db: Kysely<Tables>, write: Write) {
  return {
    /** All contact requests, the latest first; those of one visitor if an address is given, in any of its spellings. */
    async listContacts(email?: string): Promise<Contact[]> {
      const all = db.selectFrom('contacts').selectAll().orderBy('received_at', 'desc');
      const rows = await (email === undefined ? all : all.where(isOfVisitor(toCanonicalAddress(email)))).execute();
      return rows.map(({ received_at, canonical_email, canonical_subject, ...row }) => ({
        ...row,
        receivedAt: new Date(received_at),
      }));
    },

    /** Erases all that bears a visitor's address, in any of its spellings: contact requests, tokens, idempotency keys and notices. */
    eraseVisitor: (email: string): Promise<Erased> =>
      write(async (trx) => {
        const address = toCanonicalAddress(email);
        const contacts = await eraseContacts(trx, isOfVisitor(address));
        return summed(contacts, await eraseTokens(trx, sql`canonical_subject = ${address}`));
      }),

    /** Erases contact requests from before an instant, where one is given, mails sent before another, and what has expired. */
    forget: (now: Date, { contacts, mail }: { contacts: Date | null; mail: Date }): Promise<Erased> =>
      write(async (trx) => {
        const old = contacts?.toISOString() ?? '';
        const erased = await eraseContacts(trx, sql`received_at < ${old}`);
        const sent = trx.deleteFrom('outbox').where('sent_at', '<', mail.toISOString()).returning('mail_id');
        const mails = await sent.execute();
        const at = now.toISOString();
        // As long as a notice names a visitor, erasing the visitor must find it.
        const told = trx.selectFrom('outbox').select('about');
        const expired = await trx
          .deleteFrom('issued_tokens')
          .where('expires_at', '<', at)
          .where('jti', 'not in', told)
          .returning('jti')
          .execute();
        await trx.deleteFrom('idempotency_keys').where('created_at', '<=', keysExpiredAt(now)).execute();
        await trx.deleteFrom('quota_windows').where('ends_at', '<=', at).execute();
        return summed(erased, { count: expired.length, mails });
      }),
  };
}

type Condition = RawBuilder<SqlBool>;

interface Part {
  readonly count: number;
  readonly mails: readonly { readonly mail_id: string | null }[];
}

const isOfVisitor = (address: string): Condition => sql`${address} in (canonical_email, canonical_subject)`;

/** Erases contact requests with their notices and keys. */
async function eraseContacts(trx: Transaction<Tables>, which: Condition): Promise<Part> {
  const ids = trx.selectFrom('contacts').select('id').where(which);
  const mails = await trx.deleteFrom('outbox').where('about', 'in', ids).returning('mail_id').execute();
  await trx.deleteFrom('idempotency_keys').where('contact_id', 'in', ids).execute();
  const rows = await trx.deleteFrom('contacts').where(which).returning('id').execute();
  return { count: rows.length, mails };
}

/** Erases the records of tokens with their notices; the tokens themselves are the visitors'. */
async function eraseTokens(trx: Transaction<Tables>, which: Condition): Promise<Part> {
  const ids = trx.selectFrom('issued_tokens').select('jti').where(which);
  const mails = await trx.deleteFrom('outbox').where('about', 'in', ids).returning('mail_id').execute();
  const rows = await trx.deleteFrom('issued_tokens').where(which).returning('jti').execute();
  return { count: rows.length, mails };
}

function summed(contacts: Part, tokens: Part): Erased {
  const mails = [...contacts.mails, ...tokens.mails].flatMap(({ mail_id }) => mail_id ?? []);
  return { contacts: contacts.count, tokens: tokens.count, mails: [...new Set(mails)] };
}
