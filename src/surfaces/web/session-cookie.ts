import { parse, serialize } from 'hono/utils/cookie';

export type SessionCookie = ReturnType<typeof sessionCookieOf>;

/** A cookie with the secret of a session. */
export function sessionCookieOf(baseUrl: string, word: 'desk' | 'visitor') {
  const cookie = cookieOf(baseUrl, word);
  return {
    ...cookie,
    /** Returns the secret that a request has; null if it has none, or a text that is not one. */
    read(request: Request): string | null {
      const secret = cookie.read(request);
      return /^[\w-]{43}$/.test(secret) ? secret : null;
    },
  };
}

/** A cookie that no script can read; under https only this host can set it (RFC 6265bis, `__Host-`). */
export function cookieOf(baseUrl: string, word: string) {
  const secure = new URL(baseUrl).protocol === 'https:';
  const name = secure ? `__Host-${word}` : word;
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    name,
    /** Returns its text in a request; empty if it has none. */
    read: (request: Request): string => parse(request.headers.get('cookie') ?? '', name)[name] ?? '',
    /** Returns a Set-Cookie header; without `maxAge`, in seconds, the browser forgets the cookie when it is closed. */
    write: (text: string, maxAge?: number): string =>
      serialize(name, text, { ...options, ...(maxAge !== undefined && { maxAge }) }),
    /** Returns a Set-Cookie header that makes the browser forget it. */
    clear: (): string => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
