/** Redirects to an address, which the browser gets; caches never store it (303, RFC 9110, section 15.4.4). */
export const redirectTo = (location: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } });
