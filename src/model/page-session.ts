import type { IssuedToken } from './token.ts';

/** The longest lifetime of a page session; it ends with its token if that is sooner. */
export const pageSessionSeconds = 30 * 24 * 60 * 60;

/** The maximum number of sessions of a token: several people may share it, but it must not fill the table. */
export const sessionsPerToken = 20;

/** A visitor's session of the page, in which the browser uses a token that it does not hold. */
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
  /** The address in a sent message that the page has not confirmed yet, or null. */
  readonly unconfirmedEmail: string | null;
  /** The fields of an unsent message, as JSON; null if no form was returned with faults. */
  readonly draft: string | null;
}

/** Returns how long a browser is remembered if its visitor wants that: a session ends with its token. */
export const rememberedSeconds = (tokenTtlSeconds: number): number => Math.min(tokenTtlSeconds, pageSessionSeconds);
