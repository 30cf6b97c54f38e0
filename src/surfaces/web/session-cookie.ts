import { parse, serialize } from 'hono/utils/cookie';

export type SessionCookie = ReturnType<typeof sessionCookieOf>;

/** A cookie with the secret of a session: under https only this host can set it (RFC 6265bis, `__Host-`). */
export function sessionCookieOf(baseUrl: string, word: 'desk' | 'visitor') {
  const secure = new URL(baseUrl).protocol === 'https:';
  const name = secure ? `__Host-${word}` : word;
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const;
  return {
    name,
    /** Returns the secret that a request has; null if it has none, or a text that is not one. */
    read(request: Request): string | null {
      const secret = parse(request.headers.get('cookie') ?? '', name)[name] ?? '';
      return /^[\w-]{43}$/.test(secret) ? secret : null;
    },
    /** Returns a Set-Cookie header; without `maxAge`, in seconds, the browser forgets the cookie when it is closed. */
    write: (secret: string, maxAge?: number): string =>
      serialize(name, secret, { ...options, ...(maxAge !== undefined && { maxAge }) }),
    /** Returns a Set-Cookie header that makes the browser forget it. */
    clear: (): string => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
