import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { isFull, report, scaled } from '../../../support/figures.ts';
import { fixture } from '../../../support/files.ts';
import { forgerOf, type Known } from '../../../support/forger.ts';
import { startService } from '../../../support/process.ts';
import { type Forgery, forgeriesOf } from './forgeries.ts';

const refusal = '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}';

/** Protected requests without a token, and the status of each with a valid one. */
const endpoints = [
  { method: 'GET', path: '/candidate', body: '', sound: 200 },
  {
    method: 'POST',
    path: '/contact',
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' }),
    sound: 201,
  },
  {
    method: 'POST',
    path: '/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_candidate' } }),
    sound: 200,
  },
];

test('no forged token is accepted, and all of them get the same 401 body [AUTH-1] [AUTH-4] [TRUST-1] [TRUST-2] [TRUST-3] [TRUST-4]', async (t) => {
  const env = { PROFILE: fixture('profile.yaml'), LOG_LEVEL: 'warn', LIMITS: 'off' };
  const { url, baseUrl, folder } = await startService(t, env);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  t.after(() => agent.destroy());

  async function send({ method, path, body }: (typeof endpoints)[number], query: string, headers: readonly string[]) {
    const type = ['Content-Type', 'application/json', 'Accept', 'application/json, text/event-stream'];
    const length = body === '' ? [] : ['Content-Length', String(Buffer.byteLength(body))];
    const host = ['Host', new URL(url).host];
    const outgoing = request(url + path + query, { method, agent, headers: [...host, ...type, ...length, ...headers] });
    const [incoming] = await once(outgoing.end(body), 'response');
    return { status: incoming.statusCode, challenge: incoming.headers['www-authenticate'], body: await text(incoming) };
  }

  const { keys } = JSON.parse(readFileSync(join(folder, 'data/signing-key.json'), 'utf8'));
  const served = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: [Known['published']] };
  const known: Known = { jwk: keys[0], published: served.keys[0], baseUrl };
  const { withHeader, withClaims } = forgerOf(known);
  const sound = [`Bearer ${withHeader({})}`, `bearer  ${withClaims({ jti: 'f'.repeat(32) })}`];

  async function assertSoundIsAdmitted() {
    for (const endpoint of endpoints)
      for (const authorization of sound)
        assert.equal(
          (await send(endpoint, '', ['Authorization', authorization])).status,
          endpoint.sound,
          endpoint.path,
        );
  }

  const bodies = new Set<string>();
  const families = new Map<string, number>();
  const forgeries = forgeriesOf(known);
  let sent = 0;
  async function sendInTurn(): Promise<void> {
    for (const { family, query, headers, isBearer } of forgeries as Iterable<Forgery>) {
      const count = families.get(family) ?? 0;
      families.set(family, count + 1);
      const isSentToEach = isFull && family !== 'a letter changed';
      for (const endpoint of isSentToEach ? endpoints : [endpoints[count % endpoints.length]!]) {
        sent += 1;
        const { status, challenge, body } = await send(endpoint, query, headers);
        const what = `${family} at ${endpoint.path}: ${JSON.stringify([query, ...headers]).slice(0, 700)}`;
        assert.equal(status, 401, what);
        const metadata = `${baseUrl}/.well-known/oauth-protected-resource${endpoint.path === '/mcp' ? '/mcp' : ''}`;
        assert.equal(
          challenge,
          `Bearer realm="candidate-profile"${isBearer ? ', error="invalid_token"' : ''}, resource_metadata="${metadata}", scope="profile:read"`,
          what,
        );
        bodies.add(body);
      }
    }
  }

  await assertSoundIsAdmitted();
  await Promise.all(Array.from({ length: 32 }, sendInTurn));
  await assertSoundIsAdmitted();

  assert.deepEqual([...bodies], [refusal]);
  assert.ok(sent >= scaled(24_000, 800), `only ${sent} were sent`);
  report(
    'forged tokens',
    `${sent.toLocaleString('en')} requests with forged tokens in ${families.size} families over HTTP, to REST and /mcp: 0 accepted, ${bodies.size} distinct 401 body`,
  );
});
