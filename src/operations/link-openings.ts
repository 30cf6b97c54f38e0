import { Failure } from '../model/failure.ts';
import { endingWith, isOpen, type Link } from '../model/link.ts';
import type { IssuedToken } from '../model/token.ts';
import { toOpeningNotice } from './notices.ts';
import type { Services } from './ports.ts';
import { auditLimit, limitLink, openingCharges } from './quotas.ts';

interface Options {
  readonly services: Pick<Services, 'store' | 'tokens' | 'limits' | 'audit' | 'now'>;
  /** Returns the id of the link that a code opens; null if it opens none. */
  idOf(code: string): string | null;
}

export type LinkOpenings = ReturnType<typeof linkOpeningsOf>;

/** Finds links by their codes, and opens them. Every code that opens nothing is one and the same failure. */
export function linkOpeningsOf({ services, idOf }: Options) {
  const { store, tokens, limits, audit, now } = services;
  /** The ids of links that were asked for and had ended, which is for good. Only the owner's own links get in. */
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
    const refusal = limitLink(from, services);
    if (refusal !== null) throw refusal;
    const id = idOf(code);
    const link = id === null ? null : await findOpen(id);
    if (link === null) throw new Failure('NOT_FOUND');
    return link;
  }

  return {
    find,

    /** Issues the token of an opening. Throws as `find` does, and `UNAVAILABLE`. */
    async open(link: Link, from: string | null): Promise<IssuedToken> {
      const token = endingWith(link, await tokens.prepare({ kind: 'link', id: link.id }));
      const charges = limits.toStored(openingCharges(from));
      try {
        await store.tokens.add(token, toOpeningNotice(token, link), charges, now(), { isOfPage: true });
      } catch (error) {
        if (error instanceof Failure && error.code === 'RATE_LIMITED') auditLimit('link', from, services);
        throw error;
      }
      audit({ event: 'token_issued', jti: token.jti, subject: token.subject, from });
      return token;
    },
  };
}
