import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import { type CodeFault, codeSeconds, type StoredCode } from '../../model/oauth/verification-code.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import { toCodeNotice } from '../notices.ts';
import type { Services, Store } from '../ports.ts';
import { auditLimit, codeCharges } from '../quotas.ts';

/** Where codes are stored; each method is one transaction and throws `UNAVAILABLE` if it can't be written. */
export interface VerificationCodeStore {
  readonly quotas: Pick<Store['quotas'], 'check'>;
  readonly oauth: {
    readonly codes: {
      /**
       * Stores a code in place of an earlier one of the same request, with the mail that holds it, and counts the charges. Throws
       * `RATE_LIMITED` if a quota is used up.
       */
      add(code: StoredCode, mail: Notice, charges: readonly QuotaCharge[]): Promise<void>;
      /** Counts a try of the code that was sent for a request to an address, and uses it if the hashes are equal. */
      use(requestId: string, subject: string, hash: string, now: Date): Promise<'used' | CodeFault>;
    };
  };
}

interface Options extends Pick<Services, 'now' | 'audit'> {
  readonly store: VerificationCodeStore;
  readonly limits: Pick<Services['limits'], 'toStored'>;
  /** Generates six random digits. */
  readonly newCode: () => string;
  /** Returns the keyed hash of a text. */
  readonly hash: (text: string) => string;
  /** Returns the name of the candidate if it is public. */
  readonly candidateName: () => string | undefined;
}

/** The request of a client for which an address is verified. */
export interface VerifiedRequest {
  readonly id: string;
  readonly clientName: string;
}

export type VerificationCodes = ReturnType<typeof verificationCodesOf>;

/** Verifies the addresses of visitors, by codes that are mailed to them. Of a code only a hash is stored, with the request and the address in it. */
export function verificationCodesOf(options: Options) {
  const { store, limits, newCode, hash, candidateName, now, audit } = options;
  const hashOf = (requestId: string, code: string) => hash(`verification code ${requestId} ${code}`);

  return {
    /** Mails a code to an address, in place of an earlier one of the same request. Throws `RATE_LIMITED` or `UNAVAILABLE`. */
    async send({ id, clientName }: VerifiedRequest, subject: string, from: string | null): Promise<void> {
      const code = newCode();
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + codeSeconds * 1_000);
      const mail = toCodeNotice({
        requestId: id,
        subject,
        code,
        expiresAt,
        clientName,
        candidateName: candidateName(),
      });
      const charges = limits.toStored(codeCharges(subject, from));
      try {
        // Checked first, so that a flood of requests delays no writer.
        await store.quotas.check(charges, createdAt);
        await store.oauth.codes.add(
          { requestId: id, subject, hash: hashOf(id, code), createdAt, expiresAt },
          mail,
          charges,
        );
      } catch (error) {
        if (error instanceof Failure && error.code === 'RATE_LIMITED') auditLimit('oauth_code', from, { audit });
        throw error;
      }
      audit({ event: 'code_sent', subject, from });
    },

    /** Uses the code that was sent for a request to an address. Returns null, or why it is not accepted. Throws `UNAVAILABLE`. */
    async confirm(requestId: string, subject: string, code: string, from: string | null): Promise<CodeFault | null> {
      const used = await store.oauth.codes.use(requestId, subject, hashOf(requestId, code), now());
      audit({ event: used === 'used' ? 'address_verified' : 'code_refused', subject, from });
      return used === 'used' ? null : used;
    },
  };
}
