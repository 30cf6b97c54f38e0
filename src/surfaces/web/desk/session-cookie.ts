import { parse, serialize } from 'hono/utils/cookie';
import { sessionSeconds } from '../../../model/sign-in.ts';

/** The cookie with the secret of the owner's session: under https only this host can set it (RFC 6265bis, `__Host-`). */
export function sessionCookieOf(baseUrl: string) {
  const secure = new URL(baseUrl).protocol === 'https:';
  const name = secure ? '__Host-desk' : 'desk';
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    /** Returns the secret that a request has; null if it has none. */
    read: (request: Request): string | null => parse(request.headers.get('cookie') ?? '', name)[name] ?? null,
    /** Returns a Set-Cookie header. */
    write: (secret: string): string => serialize(name, secret, { ...options, maxAge: sessionSeconds }),
    /** Returns a Set-Cookie header that makes the browser forget it. */
    clear: (): string => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
