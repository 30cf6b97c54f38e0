import { readFileSync } from 'node:fs';

// What all peers are given, and how they say that they listen.

/** The answer of the service, `{status, headers, body}`, which the peer gives, too. */
export const answer = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const { 'content-type': _, 'content-length': __, ...headers } = answer.headers;

/** The headers that a framework does not set itself. */
export { headers };

export const secret = 'a secret of 32 bytes or more, as HS256 wants it';

const now = Math.floor(Date.now() / 1000);
/** The claims that the tokens of the service have. */
export const claims = {
  iss: 'http://127.0.0.1:3000',
  aud: 'http://127.0.0.1:3000',
  sub: 'reader@example.org',
  client_id: 'auth-token',
  scope: 'profile',
  iat: now,
  exp: now + 30 * 24 * 60 * 60,
  jti: 'd28cf124cd97173ad8a90b2c387cfe3b',
};

/** Says that the server listens; `token` is what clients are to send. */
export function announce({ port }, token) {
  if (token !== undefined) console.log(`Token ${token}`);
  console.log(`Listening on http://127.0.0.1:${port}`);
}
