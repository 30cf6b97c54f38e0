import type { IssuedToken } from './token.ts';

/** How long a session of the page lasts at most; it ends with its token if that is sooner. */
export const pageSessionSeconds = 30 * 24 * 60 * 60;

/** The maximum of sessions of a token: more than one person has browsers, so that a token cannot fill the table. */
export const sessionsPerToken = 20;

/** A visitor's session of the page, in which the browser acts with a token that it does not hold. */
export interface PageSession {
  /** A keyed hash of the secret in the cookie. */
  readonly id: string;
  readonly token: IssuedToken;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whether the browser keeps the cookie after it is closed. */
  readonly isRemembered: boolean;
  /** Whether the visitor has seen the token, and may have given it to a program. */
  readonly isTokenShown: boolean;
  /** Whether the visitor may write, see the token and connect clients. */
  readonly mayWrite: boolean;
  /** The address given with a sent message that the page has not confirmed yet, or null. */
  readonly unconfirmedEmail: string | null;
  /** The fields of a form whose message was not sent, as JSON; null if no form came back with faults. */
  readonly draft: string | null;
}

/** Returns how long the browser of a visitor who asks for it is remembered: a session ends with its token. */
export const rememberedSeconds = (tokenTtlSeconds: number): number => Math.min(tokenTtlSeconds, pageSessionSeconds);
