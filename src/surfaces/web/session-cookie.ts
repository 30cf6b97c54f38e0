import { parse, serialize } from 'hono/utils/cookie';

export type SessionCookie = ReturnType<typeof sessionCookieOf>;

/** A cookie with the secret of a session. */
export function sessionCookieOf(baseUrl: string, word: 'desk' | 'visitor') {
  const cookie = cookieOf(baseUrl, word);
  return {
    ...cookie,
    /** Returns the secret in a request; null if it is missing or malformed. */
    read(request: Request): string | null {
      const secret = cookie.read(request);
      return /^[\w-]{43}$/.test(secret) ? secret : null;
    },
  };
}

/** A cookie that scripts cannot read; under https only this host can set it (RFC 6265bis, `__Host-`). */
export function cookieOf(baseUrl: string, word: string) {
  const secure = new URL(baseUrl).protocol === 'https:';
  const name = secure ? `__Host-${word}` : word;
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    name,
    /** Returns the value in a request; empty if it is missing. */
    read: (request: Request): string => parse(request.headers.get('cookie') ?? '', name)[name] ?? '',
    /** Returns a Set-Cookie header; without `maxAge`, in seconds, the browser deletes the cookie when it is closed. */
    write: (text: string, maxAge?: number): string =>
      serialize(name, text, { ...options, ...(maxAge !== undefined && { maxAge }) }),
    clear: (): string => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
