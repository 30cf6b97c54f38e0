import type { Kysely, Transaction } from 'kysely';
import type { Notice } from '../../model/notice.ts';
import { type CodeFault, codeTries, type StoredCode } from '../../model/oauth.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import { type AddressVisitor, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import { areEqual } from '../node-crypto.ts';
import { type Access, countOf, toDate } from './database.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import type { Tables } from './tables.ts';

/** A record under the hash of its secret; the payload is JSON. */
export interface OauthRecord {
  readonly id: string;
  readonly grantId: string | null;
  readonly canonicalSubject: VisitorKey | null;
  readonly payload: string;
  readonly expiresAt: Date;
}

/** A stored record; `consumedAt` is null if it is unused. */
type FoundRecord = Pick<OauthRecord, 'payload' | 'expiresAt'> & { readonly consumedAt: Date | null };

/** Short-lived records of the authorization server: pending requests, codes, refresh tokens. */
export function oauthRecordsOf({ read, write, change }: Access) {
  return {
    /** Stores or replaces a record; returns false if its grant has ended. One without a grant may evict the oldest. */
    put: (record: OauthRecord, now: Date): Promise<boolean> =>
      write(async (trx) => {
        if (record.grantId !== null && !(await isGranted(trx, record.grantId, now))) return false;
        await putRecord(trx, record);
        if (record.grantId === null) await eraseOldestRequests(trx);
        return true;
      }),

    async find(id: string, now: Date): Promise<FoundRecord | null> {
      const row = await read((db) =>
        db
          .selectFrom('oauth_records')
          .select(['payload', 'consumed_at', 'expires_at'])
          .where('id', '=', id)
          .where('expires_at', '>', now.toISOString())
          .executeTakeFirst(),
      );
      if (row === undefined) return null;
      return { payload: row.payload, expiresAt: new Date(row.expires_at), consumedAt: toDate(row.consumed_at) };
    },

    remove: (id: string): Promise<void> => change((trx) => trx.deleteFrom('oauth_records').where('id', '=', id)),
  };
}

/** The maximum number of pending requests. Anybody can begin one; each takes up to 4 KB for half an hour. */
const mostRequests = 10_000;

/** Erases the oldest pending requests, those with a typed address last. Refusing new ones would let one sender block all. */
async function eraseOldestRequests(trx: Transaction<Tables>): Promise<void> {
  const requests = trx.selectFrom('oauth_records').where('grant_id', 'is', null);
  const count = await countOf(requests);
  if (count <= mostRequests) return;
  const oldest = requests
    .select('id')
    .orderBy((eb) => eb('canonical_subject', 'is not', null))
    .orderBy('expires_at')
    .limit(count - mostRequests);
  await trx.deleteFrom('oauth_records').where('id', 'in', oldest).execute();
}

export async function putRecord(trx: Transaction<Tables>, record: OauthRecord): Promise<void> {
  const { id, grantId, canonicalSubject, payload, expiresAt } = record;
  const changing = { payload, canonical_subject: canonicalSubject, expires_at: expiresAt.toISOString() };
  await trx
    .insertInto('oauth_records')
    .values({ id, grant_id: grantId, consumed_at: null, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
}

/** Whether a grant has not ended; no work that ends it runs at the same time. */
export async function isGranted(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  const grant = trx.selectFrom('oauth_grants').select('id').where('id', '=', id);
  return (await grant.where('expires_at', '>', now.toISOString()).executeTakeFirst()) !== undefined;
}

export function oauthClientsOf({ read, write }: Access) {
  return {
    /** Stores a client, as JSON, and counts the charges. Throws `RATE_LIMITED` if a quota is used up. */
    add: (id: string, metadata: string, charges: readonly QuotaCharge[], now: Date): Promise<void> =>
      write(async (trx) => {
        await countUses(trx, charges, now);
        const row = { id, metadata, registered_at: now.toISOString(), used_at: null };
        await trx.insertInto('oauth_clients').values(row).execute();
      }),

    async find(id: string): Promise<string | undefined> {
      const row = await read((db) =>
        db.selectFrom('oauth_clients').select('metadata').where('id', '=', id).executeTakeFirst(),
      );
      return row?.metadata;
    },
  };
}

export function verificationCodesOf({ read, write }: Access) {
  return {
    /** Stores a code with its mail in place of the request's earlier one. Throws `RATE_LIMITED`. */
    async add(code: StoredCode, mail: Notice, charges: readonly QuotaCharge[]): Promise<void> {
      const { requestId: request_id, hash: code_hash, createdAt } = code;
      const canonical_subject = visitorKeyOf(code.subject);
      const row = { canonical_subject, code_hash, tries: 0, expires_at: code.expiresAt.toISOString() };
      await write(async (trx) => {
        await countUses(trx, charges, createdAt);
        await trx
          .insertInto('verification_codes')
          .values({ request_id, ...row })
          .onConflict((conflict) => conflict.column('request_id').doUpdateSet(row))
          .execute();
        await deleteMail(trx, request_id);
        await queueNotice(trx, mail, createdAt);
      });
    },

    /** Counts a try of the code that was sent for a request to a visitor, and uses it if the hashes are equal. */
    async use(requestId: string, subject: AddressVisitor, hash: string, now: Date): Promise<'used' | CodeFault> {
      const key = visitorKeyOf(subject);
      // Read first, so that a flood of guesses delays no writer.
      const fault = await read((db) => faultOf(db, requestId, key, now));
      if (fault !== null) return fault;
      return write(async (trx) => {
        // Counted before the comparison, in one statement, so that concurrent guesses get no extra tries.
        const tried = await trx
          .updateTable('verification_codes')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('request_id', '=', requestId)
          .where('canonical_subject', '=', key)
          .where('tries', '<', codeTries)
          .where('expires_at', '>', now.toISOString())
          .returning(['code_hash', 'tries'])
          .executeTakeFirst();
        if (tried === undefined) return (await faultOf(trx, requestId, key, now)) ?? 'expired';
        if (!areEqual(tried.code_hash, hash)) {
          const triesLeft = codeTries - tried.tries;
          return triesLeft === 0 ? 'used up' : { triesLeft };
        }
        await trx.deleteFrom('verification_codes').where('request_id', '=', requestId).execute();
        await deleteMail(trx, requestId);
        return 'used';
      });
    },
  };
}

const deleteMail = (trx: Transaction<Tables>, requestId: string) =>
  trx.deleteFrom('outbox').where('kind', '=', 'verification_code').where('about', '=', requestId).execute();

async function faultOf(db: Kysely<Tables>, requestId: string, key: VisitorKey, now: Date): Promise<CodeFault | null> {
  const code = await db
    .selectFrom('verification_codes')
    .select('tries')
    .where('request_id', '=', requestId)
    .where('canonical_subject', '=', key)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  if (code === undefined) return 'expired';
  return code.tries < codeTries ? null : 'used up';
}
