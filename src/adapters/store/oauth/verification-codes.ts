import { timingSafeEqual } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { toCanonicalAddress } from '../../../model/email-address.ts';
import type { Notice } from '../../../model/notice.ts';
import { type CodeFault, codeSeconds, codeTries, type StoredCode } from '../../../model/oauth/verification-code.ts';
import type { QuotaCharge } from '../../../model/quota.ts';
import type { Read, Write } from '../database.ts';
import { isCurrent } from '../desk/validity.ts';
import { queueNotice } from '../outbox/outbox-queue.ts';
import { countUses } from '../quota-windows.ts';
import type { Tables } from '../tables.ts';

/** The codes with which visitors prove that an address is theirs; `onMailQueued` is called after the commit of a mail. */
export function verificationCodesOf(read: Read, write: Write, onMailQueued: () => void) {
  return {
    async addVerificationCode(code: StoredCode, mail: Notice, charges: readonly QuotaCharge[]): Promise<void> {
      const { requestId: request_id, subject, hash: code_hash, createdAt, expiresAt } = code;
      const row = {
        canonical_subject: toCanonicalAddress(subject),
        code_hash,
        tries: 0,
        expires_at: expiresAt.toISOString(),
      };
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
      onMailQueued();
    },

    async useVerificationCode(
      requestId: string,
      subject: string,
      hash: string,
      now: Date,
    ): Promise<'used' | CodeFault> {
      const address = toCanonicalAddress(subject);
      // Read first, so that a flood of guesses delays no writer.
      const fault = await read((db) => faultOf(db, requestId, address, now));
      if (fault !== null) return fault;
      return write(async (trx) => {
        // Counted before it is compared, in one statement: of many guesses at once, as many are compared as there are tries.
        const tried = await trx
          .updateTable('verification_codes')
          .set((eb) => ({ tries: eb('tries', '+', 1) }))
          .where('request_id', '=', requestId)
          .where('canonical_subject', '=', address)
          .where('tries', '<', codeTries)
          .where(isCurrent(now, codeSeconds))
          .returning(['code_hash', 'tries'])
          .executeTakeFirst();
        if (tried === undefined) return (await faultOf(trx, requestId, address, now)) ?? 'expired';
        if (!isEqual(tried.code_hash, hash)) {
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

/** Erases the codes of a canonical address, with their mails. */
export async function eraseCodes(trx: Transaction<Tables>, address: string): Promise<void> {
  const ids = trx.selectFrom('verification_codes').select('request_id').where('canonical_subject', '=', address);
  await trx.deleteFrom('outbox').where('kind', '=', 'verification_code').where('about', 'in', ids).execute();
  await trx.deleteFrom('verification_codes').where('canonical_subject', '=', address).execute();
}

/** Erases codes that have expired; their mails are erased before. */
export async function eraseExpiredCodes(trx: Transaction<Tables>, now: Date): Promise<void> {
  await trx.deleteFrom('verification_codes').where('expires_at', '<=', now.toISOString()).execute();
}

const deleteMail = (trx: Transaction<Tables>, requestId: string) =>
  trx.deleteFrom('outbox').where('kind', '=', 'verification_code').where('about', '=', requestId).execute();

async function faultOf(db: Kysely<Tables>, requestId: string, address: string, now: Date): Promise<CodeFault | null> {
  const code = await db
    .selectFrom('verification_codes')
    .select('tries')
    .where('request_id', '=', requestId)
    .where('canonical_subject', '=', address)
    .where(isCurrent(now, codeSeconds))
    .executeTakeFirst();
  if (code === undefined) return 'expired';
  return code.tries < codeTries ? null : 'used up';
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
