import type { PageSession } from '../../../model/page-session.ts';
import type { Caller } from '../../../operations/call.ts';
import type { LinkOpenings } from '../../../operations/link-openings.ts';
import { pageRead } from '../../../operations/page.ts';
import type { PageSessions } from '../../../operations/page-sessions.ts';
import type { Services } from '../../../operations/ports.ts';
import { limitRead } from '../../../operations/quotas.ts';
import { type Connection, peerOf } from '../../request.ts';
import { type FormGuard, formTokenField, noSession } from '../form.ts';
import type { Html, Site } from '../page.ts';
import { cookieOf, sessionCookieOf } from '../session-cookie.ts';

export interface EntryPorts {
  readonly site: Site;
  readonly services: Services;
  readonly sessions: PageSessions;
  readonly openings: LinkOpenings;
  readonly guard: FormGuard;
  /** Whether the owner, signed in at the desk, sent a request. */
  isOwner(request: Request): Promise<boolean>;
}

/** A visitor with a valid token that opens everything. */
export type VisitorCaller = Caller & { readonly kind: 'visitor'; readonly token: NonNullable<Caller['token']> };

export interface VisitorSession {
  readonly session: PageSession;
  readonly visitor: VisitorCaller;
  /** The hidden field that each form on the visitor's pages needs. */
  readonly formToken: Html;
}

/** The part of a visitor's session that a page shows. */
export interface ShownVisit extends Pick<VisitorSession, 'formToken'> {
  readonly session: Pick<PageSession, 'expiresAt' | 'isRemembered' | 'mayWrite'> & {
    readonly token: Pick<PageSession['token'], 'subject' | 'expiresAt'>;
  };
}

/** Charges a stored session or draft as a read. Throws `RATE_LIMITED`. */
export function chargeStored(visitor: VisitorCaller, services: Services): void {
  const failure = limitRead(pageRead.name, visitor, services);
  if (failure !== null) throw failure;
}

export type VisitorSessions = ReturnType<typeof visitorSessionsOf>;

/** The sessions of visitors, by the cookie of their browsers. */
export function visitorSessionsOf({ site, services, guard, sessions }: EntryPorts) {
  const { hash } = services;
  const cookie = sessionCookieOf(site.baseUrl, 'visitor');
  const toVisit = (secret: string, session: PageSession, peer: ReturnType<typeof peerOf>): VisitorSession => ({
    session,
    visitor: { kind: 'visitor', token: session.token, ...peer },
    formToken: formTokenField(guard, hash(secret)),
  });

  return {
    /** Returns the session to which a browser's forms belong, without a query, even if it has ended. */
    formSessionOf(request: Request): string {
      const secret = cookie.read(request);
      return secret === null ? noSession : hash(secret);
    },

    hasCookie: (request: Request): boolean => cookie.read(request) !== null,

    /** Returns the visit of a request; null without a session, or if it has ended. */
    async find(request: Request, connection: Connection): Promise<VisitorSession | null> {
      const secret = cookie.read(request);
      const session = secret === null ? null : await sessions.find(secret);
      return session === null ? null : toVisit(secret!, session, peerOf(request, connection));
    },

    /** Opens a session with a visitor's token, replacing the previous one; adds a Set-Cookie header. Throws `RATE_LIMITED`. */
    async open(
      visitor: VisitorCaller,
      options: Parameters<PageSessions['open']>[1],
      before: VisitorSession | null,
    ): Promise<{ readonly visit: VisitorSession; readonly setCookie: string }> {
      chargeStored(visitor, services);
      const { token, kind: _, ...peer } = visitor;
      const { secret, session } = await sessions.open(token, options, before?.session ?? null);
      const seconds = Math.ceil((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
      const setCookie = cookie.write(secret, session.isRemembered ? seconds : undefined);
      return { visit: toVisit(secret, session, peer), setCookie };
    },

    clearCookie: cookie.clear,
    cookieName: cookie.name,

    /** The fields of a faulty form, until the profile is open. */
    typed: cookieOf(site.baseUrl, 'typed'),
  };
}
