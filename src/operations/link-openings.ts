import { Failure } from '../model/failure.ts';
import { endingWith, isOpen, type Link, openingIdOf } from '../model/link.ts';
import { siteOf } from '../model/network-block.ts';
import type { IssuedToken } from '../model/token.ts';
import { toOpeningNotice } from './notices.ts';
import type { Services } from './ports.ts';
import { auditingLimit, limitAction, openingCharges } from './quotas.ts';

interface LinkOpeningOptions {
  readonly services: Pick<Services, 'store' | 'tokens' | 'limits' | 'audit' | 'now'>;
  /** Returns the id of the link that a code opens; null if it opens none. */
  idOf(code: string): string | null;
  hashVisitor(text: string): string;
}

export type LinkOpenings = ReturnType<typeof linkOpeningsOf>;

/** Finds links by their codes, and opens them. All codes that open nothing fail in the same way. */
export function linkOpeningsOf({ services, idOf, hashVisitor }: LinkOpeningOptions) {
  const { store, tokens, limits, audit, now } = services;
  /** The ids of requested links that have ended, which is final. Only ids of the owner's own links get in. */
  const ended = new Set<string>();

  async function findOpen(id: string): Promise<Link | null> {
    if (ended.has(id)) return null;
    const link = await store.links.find(id);
    if (link !== null && isOpen(link, now())) return link;
    ended.add(id);
    return null;
  }

  /** Charges the network, and returns the link of a code. Throws `RATE_LIMITED`, or `NOT_FOUND` if it opens nothing. */
  async function find(code: string, from: string | null): Promise<Link> {
    const refusal = limitAction('link', from, services);
    if (refusal !== null) throw refusal;
    const id = idOf(code);
    const link = id === null ? null : await findOpen(id);
    if (link === null) throw new Failure('NOT_FOUND');
    return link;
  }

  async function prepare(link: Link, from: string | null, at: Date): Promise<IssuedToken> {
    const token = endingWith(link, await tokens.prepare({ kind: 'link', id: link.id }));
    if (from === null) return token;
    const hour = at.toISOString().slice(0, 13);
    const network = hashVisitor(`opening ${link.id} ${hour} ${siteOf(from)}`).slice(0, 22);
    return { ...token, jti: openingIdOf(token.jti, network) };
  }

  return {
    find,

    /** Issues the token of an opening. Throws as `find` does, and `UNAVAILABLE`. */
    async open(link: Link, from: string | null): Promise<IssuedToken> {
      const charges = limits.toStored(openingCharges(link.id, from));
      const at = now();
      return auditingLimit('link', from, services, async () => {
        // Before the transaction: refused openings take no lock that others wait for.
        await store.quotas.check(charges, at);
        const token = await prepare(link, from, at);
        await store.tokens.add(token, toOpeningNotice(token, link), charges, at, { isOfPage: true });
        audit({ event: 'token_issued', jti: token.jti, subject: token.subject, from });
        return token;
      });
    },
  };
}
