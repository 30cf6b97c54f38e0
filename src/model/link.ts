import { countCodePoints, isVisible } from 'resume-profile/text';
import type { IssuedToken } from './token.ts';
import { visitorKeyOf } from './visitor.ts';

/** A link of the owner that opens the profile without an address. Its code is never stored. */
export interface Link {
  readonly id: string;
  /** Only the owner sees it. */
  readonly name: string;
  readonly view: string;
  readonly until: Date | null;
  /** Whether visitors who opened it may write to the owner, see their token and connect clients. */
  readonly mayWrite: boolean;
  readonly madeAt: Date;
  readonly openedAt: Date | null;
  readonly endedAt: Date | null;
}

export const maxLinks = 1_000;

export const maxLinkName = 100;

export const isOpen = ({ endedAt, until }: Link, now: Date): boolean =>
  endedAt === null && (until === null || until > now);

/** Returns a token that ends with its link, in whole seconds, if the link ends first. */
export function endingWith({ until }: Pick<Link, 'until'>, token: IssuedToken): IssuedToken {
  const end = Math.min(token.expiresAt.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY);
  return { ...token, expiresAt: new Date(end - (end % 1_000)) };
}

/** Returns the id of a grant for a client's request that was allowed from an opening of a link. */
export const grantIdOf = (opening: string, request: string): string => `${request}.${opening}`;

/** Returns the opening of a record, which is the browser's own token or a grant that was allowed from there. */
export const openingOf = (record: string): string => record.slice(record.lastIndexOf('.') + 1);

/** Returns the id of an opening; figures count all openings with the same `network`, a keyed hash, as one. */
export const openingIdOf = (jti: string, network: string): string => `${jti}~${network}`;

/** Returns the key by which figures count a link's record: all openings from one network within an hour are one. */
export const countedOpeningOf = (record: string): string => openingOf(record).replace(/^.*~/, '');

/** Returns the key by which limits distinguish people: their address, or the opening of their link. */
export const personKeyOf = ({ subject, jti, grantId }: Pick<IssuedToken, 'subject' | 'jti' | 'grantId'>): string =>
  subject.kind === 'address' ? visitorKeyOf(subject) : `${visitorKeyOf(subject)} ${openingOf(grantId ?? jti)}`;

export function linkNameFault(name: string): string | null {
  if (!isVisible(name)) return 'must not be empty';
  return countCodePoints(name) > maxLinkName ? `must be at most ${maxLinkName} characters` : null;
}
