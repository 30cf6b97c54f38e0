import { countCodePoints, isVisible } from 'resume-profile/text';
import type { IssuedToken } from './token.ts';
import { visitorKeyOf } from './visitor.ts';

/** A link of the owner's that opens the profile without asking for an address. Its code is never stored. */
export interface Link {
  readonly id: string;
  /** Only the owner sees it. */
  readonly name: string;
  /** The view of the profile that it shows. */
  readonly view: string;
  /** When it ends by itself; null if it does not. */
  readonly until: Date | null;
  /** Whether those who opened it may write to the owner, see their token and connect clients. */
  readonly mayWrite: boolean;
  readonly madeAt: Date;
  /** When it was first opened; null until then. */
  readonly openedAt: Date | null;
  readonly endedAt: Date | null;
}

/** How many links can be open at once. */
export const maxLinks = 1_000;

/** How many characters its name can have. */
export const maxLinkName = 100;

/** Whether it can be opened at an instant. */
export const isOpen = ({ endedAt, until }: Link, now: Date): boolean =>
  endedAt === null && (until === null || until > now);

/** Returns a token that ends with its link, in whole seconds, if that is sooner than its own end. */
export function endingWith({ until }: Pick<Link, 'until'>, token: IssuedToken): IssuedToken {
  const end = Math.min(token.expiresAt.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY);
  return { ...token, expiresAt: new Date(end - (end % 1_000)) };
}

/** Returns the id of a grant that is made from an opening of a link, for a request of a client. */
export const grantIdOf = (opening: string, request: string): string => `${request}.${opening}`;

/** Returns the opening that a record is of: the token of the browser itself, or a grant that was made from there. */
export const openingOf = (record: string): string => record.slice(record.lastIndexOf('.') + 1);

/** Returns the id of an opening; figures count all openings with the same `network`, a keyed hash, as one. */
export const openingIdOf = (jti: string, network: string): string => `${jti}~${network}`;

/** Returns what figures count of a record of a link: all openings from one network within an hour are one. */
export const countedOpeningOf = (record: string): string => openingOf(record).replace(/^.*~/, '');

/** Returns the key by which limits tell people apart: their address, or the opening of their link. */
export const personKeyOf = ({ subject, jti, grantId }: Pick<IssuedToken, 'subject' | 'jti' | 'grantId'>): string =>
  subject.kind === 'address' ? visitorKeyOf(subject) : `${visitorKeyOf(subject)} ${openingOf(grantId ?? jti)}`;

/** Returns what is wrong with the name of a link, after a noun; null if nothing is. */
export function linkNameFault(name: string): string | null {
  if (!isVisible(name)) return 'must not be empty';
  return countCodePoints(name) > maxLinkName ? `must be at most ${maxLinkName} characters` : null;
}
