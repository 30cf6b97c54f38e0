import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import { type Access, type Grant, type IssuedToken, type Scope, scopes } from '../../model/grant.ts';
import type { Notice } from '../../model/notice.ts';
import { hasDocument } from '../../model/oauth/client-name.ts';
import { createAuthToken, tokenQuotas } from '../auth.ts';
import type { Caller } from '../call.ts';
import { checkInput } from '../input.ts';
import { toGrantNotice } from '../notices.ts';
import type { Operation } from '../operation.ts';
import type { Services } from '../ports.ts';
import { auditLimit, chargesOf } from '../quotas.ts';

/** Returns the scope that an operation needs of a client's token. */
export const scopeOf = ({ kind }: Pick<Operation, 'kind'>): Scope =>
  kind === 'mutation' ? 'contact:write' : 'profile:read';

/** The message to a token that lacks a scope. */
export const missingScopeMessage = (needed: Scope): string => `This token does not have the scope ${needed}.`;

/** Returns `FORBIDDEN`, with the scopes to ask for, if a token lacks a scope; otherwise null. */
export function refusalFor({ access }: IssuedToken, needed: Scope): Failure | null {
  if (access === undefined || access.scopes.includes(needed)) return null;
  // With the scopes that it has: a client that asks for the missing one alone would lose them.
  const neededScopes = scopes.filter((scope) => scope === needed || access.scopes.includes(scope));
  return new Failure('FORBIDDEN', missingScopeMessage(needed), { neededScopes });
}

/** Where grants are stored. */
export interface GrantStore {
  /** Stores a grant with its notice. Returns false, and stores nothing, if it is stored already. */
  add(grant: Grant, notice: Notice): Promise<boolean>;
  /** Returns the grants of a canonical address that have not ended. */
  listUnexpired(now: Date, which: { readonly canonical_subject: string }): Promise<readonly Grant[]>;
  /** Ends a grant with all that was issued for it. */
  end(id: string, now: Date): Promise<void>;
}

/** What a visitor allows a client. */
export interface Consent extends Access {
  /** Made from the request and the address, so that a form that is sent twice allows it once. */
  readonly id: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly subject: string;
  readonly expiresAt: Date;
}

interface Options {
  readonly services: Pick<Services, 'now' | 'audit' | 'limits' | 'store'>;
  readonly grants: GrantStore;
}

export type Grants = ReturnType<typeof grantsOf>;

/** Takes what a visitor types and allows on the pages of the authorization server. */
export function grantsOf({ services, grants }: Options) {
  const { store, now, audit } = services;
  return {
    /**
     * Checks an address and charges it as a request for a token, from the same quota. Returns it normalized. Throws `BAD_REQUEST`,
     * `RATE_LIMITED` or `UNAVAILABLE`.
     */
    async enterAddress(email: string, from: string | null): Promise<string> {
      const caller: Caller = { kind: 'anonymous', token: null, address: from, requestId: null, client: null };
      try {
        await store.quotas.take(
          chargesOf({ name: createAuthToken.name, quotas: tokenQuotas }, caller, services),
          now(),
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'RATE_LIMITED') throw error;
        auditLimit('oauth', from, services);
        throw error;
      }
      return String(checkInput(createAuthToken, { email }).email);
    },

    /** Stores a grant in place of earlier ones of the visitor and the client, and tells the owner, once. */
    async allow(consent: Consent, from: string | null): Promise<void> {
      const grant = { ...consent, createdAt: now() };
      if (!(await grants.add(grant, toGrantNotice(grant, from)))) return;
      audit({ event: 'access_granted', subject: grant.subject, from, detail: grant.id });
      if (!isSameVisitor(grant)) return;
      const which = { canonical_subject: toCanonicalAddress(grant.subject) };
      for (const { id, clientId, createdAt } of await grants.listUnexpired(now(), which))
        if (clientId === grant.clientId && createdAt < grant.createdAt) await grants.end(id, now());
    },
  };
}

/**
 * Whether a grant is certain to replace those of the same address and client. Everybody's installation of a client with a document has
 * the same id: unless the address is verified, anybody could end a visitor's grant by typing the address.
 */
const isSameVisitor = ({ clientId, isVerified }: Grant): boolean => isVerified || !hasDocument(clientId);
