import { openingOf } from '../model/link.ts';
import { type CodeFault, codeSeconds, type Grant, hasDocument, type PendingRequest } from '../model/oauth.ts';
import { type AddressVisitor, byAddress, visitorKeyOf } from '../model/visitor.ts';
import { createAuthToken, tokenQuotas } from './auth.ts';
import { checkInput } from './invoke.ts';
import { toCodeNotice, toGrantNotice } from './notices.ts';
import type { OwnerServices } from './owner/services.ts';
import type { Services } from './ports.ts';
import { actionCharges, auditingLimit, chargesFor } from './quotas.ts';

type OauthStore = OwnerServices['store']['oauth'];

/** The consent of a visitor. Its id is made from request and address, so that a form that is sent twice allows it once. */
type Consent = Omit<Grant, 'createdAt'>;

export type Grants = ReturnType<typeof grantsOf>;

/** Handles the address and the consent of a visitor on the pages of the authorization server. */
export function grantsOf({
  services,
  grants,
}: {
  readonly services: Pick<Services, 'now' | 'audit' | 'limits' | 'store'>;
  readonly grants: Pick<OauthStore['grants'], 'add' | 'listUnexpired' | 'end'>;
}) {
  const { store, now, audit } = services;
  return {
    /** Charges the quota of requests for tokens, and checks an address. Throws `BAD_REQUEST` or what the store throws. */
    async enterAddress(email: string, from: string | null): Promise<AddressVisitor> {
      const charges = services.limits.toStored(chargesFor(createAuthToken.name, tokenQuotas, { from }));
      await auditingLimit('oauth', from, services, () => store.quotas.take(charges, now()));
      return byAddress(String(checkInput(createAuthToken, { email }).email));
    },

    /** Stores a grant in place of earlier grants of the visitor and the client, and tells the owner, once. */
    async allow(consent: Consent, from: string | null): Promise<void> {
      const grant = { ...consent, createdAt: now() };
      const { subject } = grant;
      const link = subject.kind === 'link' ? await store.links.find(subject.id) : null;
      if (!(await grants.add(grant, toGrantNotice(grant, from, link)))) return;
      audit({ event: 'access_granted', subject: grant.subject, from, detail: grant.id });
      if (!replacesEarlier(grant)) return;
      const which = { canonical_subject: visitorKeyOf(grant.subject) };
      for (const { id, clientId, createdAt } of await grants.listUnexpired(grant.createdAt, which))
        if (clientId === grant.clientId && createdAt < grant.createdAt && isOfSamePerson(id, grant))
          await grants.end(id, grant.createdAt);
    },
  };
}

/** Whether a grant replaces earlier ones. Clients with a document share its id: anybody could end one by typing an address. */
const replacesEarlier = ({ clientId, isVerified }: Grant): boolean => isVerified || !hasDocument(clientId);

/** Whether two grants of a visitor belong to the same person, because many people may open one link. */
const isOfSamePerson = (id: string, { subject, id: otherId }: Grant): boolean =>
  subject.kind === 'address' || openingOf(id) === openingOf(otherId);

interface VerificationOptions extends Pick<Services, 'now' | 'audit'> {
  readonly store: Pick<OwnerServices['store'], 'quotas'> & { readonly oauth: Pick<OauthStore, 'codes'> };
  readonly limits: Pick<Services['limits'], 'toStored'>;
  readonly newCode: () => string;
  readonly hash: (text: string) => string;
  readonly candidateName: () => string | undefined;
}

export type VerificationCodes = ReturnType<typeof verificationCodesOf>;

/** Verifies the addresses of visitors by codes that are mailed to them. Only a hash over request and code is stored. */
export function verificationCodesOf(options: VerificationOptions) {
  const { store, limits, newCode, hash, candidateName, now, audit } = options;
  const hashOf = (requestId: string, code: string) => hash(`verification code ${requestId} ${code}`);

  return {
    /** Mails a code, in place of an earlier one of the request. Throws `RATE_LIMITED` or `UNAVAILABLE`. */
    async send(
      { requestId, clientName }: Pick<PendingRequest, 'requestId' | 'clientName'>,
      subject: AddressVisitor,
      from: string | null,
    ): Promise<void> {
      const code = newCode();
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + codeSeconds * 1_000);
      const request = { requestId, clientName, candidateName: candidateName() };
      const mail = toCodeNotice({ ...request, recipient: subject.address, code, expiresAt });
      const charges = limits.toStored(actionCharges('oauth_code', { subject, from }));
      const stored = { requestId, subject, hash: hashOf(requestId, code), createdAt, expiresAt };
      await auditingLimit('oauth_code', from, options, async () => {
        // Checked first, so that a flood of requests delays no writer.
        await store.quotas.check(charges, createdAt);
        await store.oauth.codes.add(stored, mail, charges);
      });
      audit({ event: 'code_sent', subject, from });
    },

    /** Uses the code of a request. Returns null, or why it is not accepted. Throws `UNAVAILABLE`. */
    async confirm(
      requestId: string,
      subject: AddressVisitor,
      code: string,
      from: string | null,
    ): Promise<CodeFault | null> {
      const used = await store.oauth.codes.use(requestId, subject, hashOf(requestId, code), now());
      audit({ event: used === 'used' ? 'address_verified' : 'code_refused', subject, from });
      return used === 'used' ? null : used;
    },
  };
}
