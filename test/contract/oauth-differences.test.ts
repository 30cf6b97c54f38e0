import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { callTool, mcpRequest, type Revision, readResource } from '../../bench/mcp-messages.ts';
import { openTestService } from '../support/in-process.ts';
import { postJson } from '../support/post-json.ts';

type Service = Awaited<ReturnType<typeof openTestService>>;
type Sent = readonly [path: string, init?: RequestInit];

let on: Service;
let off: Service;
before(async () => {
  [on, off] = await Promise.all([openTestService({ OAUTH: 'on' }), openTestService({ OAUTH: 'off' })]);
  // The first PDF changes /readyz and the page: neither service may print its own while answers are compared.
  for (const { opened, ask } of [on, off]) {
    const { pathname, search } = new URL(opened.links.resume.at(new Date(), null));
    assert.equal((await ask(pathname + search)).status, 200);
  }
});
after(() => Promise.all([on.close(), off.close()]));

const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const asPage = { headers: { accept: 'text/html' } };

const protectedRest: readonly Sent[] = [
  ['/candidate'],
  ['/candidate', { method: 'HEAD' }],
  ['/candidate', { headers: { 'if-none-match': '*' } }],
  ['/candidate', postJson({})],
  ['/experience'],
  ['/experience?current=true'],
  ['/experience?current=maybe'],
  ['/experience/none'],
  ['/projects'],
  ['/projects/none'],
  ['/resume'],
  ['/resume?format=pdf'],
  ['/resume?format=doc'],
  ['/contact/availability'],
  ['/availability'],
  ['/contact', postJson(contact)],
  ['/contact', postJson({ ...contact, email: 'none' })],
  ['/contact', { method: 'POST', body: 'text' }],
  ['/me'],
  ['/me', { method: 'DELETE' }],
];

const messages = (revision: Revision): Sent[] =>
  [
    mcpRequest(revision, revision === '2026-07-28' ? 'server/discover' : 'ping', {}),
    mcpRequest(revision, 'tools/list', {}),
    mcpRequest(revision, 'resources/list', {}),
    mcpRequest(revision, 'prompts/list', {}),
    mcpRequest(revision, 'none', {}),
    callTool(revision, 'get_candidate'),
    callTool(revision, 'get_me'),
    callTool(revision, 'none'),
    readResource(revision, 'profile://candidate'),
  ].map(({ headers, body }) => ['/mcp', { method: 'POST', headers, body: body! }]);

const protectedMcp: readonly Sent[] = [
  ['/mcp'],
  ['/mcp', { method: 'DELETE' }],
  ['/mcp', postJson({})],
  ['/mcp/', postJson({})],
  ...messages('2025-11-25'),
  ...messages('2026-07-28'),
];

const open: readonly Sent[] = [
  ['/'],
  ['/none'],
  ['/none', asPage],
  ['/healthz'],
  ['/readyz'],
  ['/robots.txt'],
  ['/sitemap.xml'],
  ['/.well-known/ai-catalog.json'],
  ['/.well-known/agent-skills/index.json'],
  ['/favicon.svg'],
  ['/og.png'],
  ['/qr.svg'],
  ['/files/resume.pdf'],
  ['/files/resume.pdf?expires=1&signature=x'],
  ['/profile', asPage],
  ['/desk', asPage],
  ['/auth/token', postJson({ email: 'ada@example.org' })],
  ['/auth/token', postJson({ email: 'none' })],
  ['/auth/token'],
  ['/candidate', { method: 'OPTIONS', headers: { origin: 'https://app.example.org' } }],
  ['/mcp', { method: 'OPTIONS', headers: { origin: 'http://127.0.0.1:3000' } }],
  ['/mcp', { method: 'POST', headers: { origin: 'https://evil.example' } }],
];

const documents: readonly Sent[] = [
  ['/', asPage],
  ['/llms.txt'],
  ['/openapi.json'],
  ['/docs'],
  ['/docs/mcp'],
  ['/docs/client'],
  ['/docs/client.ts'],
  ['/privacy'],
  ['/.well-known/jwks.json'],
  ['/.well-known/api-catalog'],
  ['/mcp/server-card'],
];

/** The addresses of OAuth. */
const addresses: readonly Sent[] = [
  ['/oauth/register'],
  ['/oauth/revoke'],
  ['/oauth/authorize'],
  ['/oauth/token'],
  ['/.well-known/oauth-protected-resource'],
  ['/.well-known/oauth-protected-resource/mcp'],
  ['/.well-known/oauth-authorization-server'],
  ['/.well-known/oauth-authorization-server/mcp'],
  ['/.well-known/openid-configuration'],
  ['/.well-known/openid-configuration/mcp'],
  ['/mcp/.well-known/oauth-authorization-server'],
  ['/mcp/.well-known/openid-configuration'],
];

/** Masks values that differ each time: tokens, ids, keys, times, and the query of a link to the PDF. */
const masked = (text: string) =>
  text
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/candidate-profile-\w{6}\b/g, '<folder>')
    .replaceAll(/[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/name="form_token" value="[^"]+"/g, '<form token>')
    .replaceAll(/"(kid|x)":"[\w-]{43}"/g, '<key>')
    .replaceAll(/expires=\d+&signature=[\w-]+/g, '<query>');

interface Answer {
  readonly challenge: string | null;
  readonly rest: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
}

async function answerOf(service: Service, [path, init]: Sent, authorization: string | null): Promise<Answer> {
  const headers = new Headers(init?.headers);
  if (authorization !== null) headers.set('authorization', authorization);
  const response = await service.ask(path, { ...init, headers });
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const body = masked(text);
  const challenge = response.headers.get('www-authenticate');
  response.headers.delete('www-authenticate');
  // The entity tag of what is made anew is new, too.
  if (body !== text) response.headers.delete('etag');
  return { challenge, rest: { status: response.status, headers: Object.fromEntries(response.headers), body } };
}

const bothAnswers = (sent: Sent, authorizationFor: (service: Service) => string | null) =>
  Promise.all([on, off].map((service) => answerOf(service, sent, authorizationFor(service)))) as Promise<
    [Answer, Answer]
  >;

const nameOf = ([path, init]: Sent) => `${init?.method ?? 'GET'} ${path} ${init?.body ?? ''}`;

const withToken = ({ token }: Service) => `Bearer ${token}`;
const withoutToken = () => null;
const withBadToken = () => 'Bearer none';

test('an answer to a token, or to somebody who needs none, is the same with OAuth and without', async () => {
  for (const sent of [...open, ...protectedMcp, ...protectedRest]) {
    const [connectable, plain] = await bothAnswers(sent, withToken);
    assert.deepEqual(connectable, plain, nameOf(sent));
    assert.notEqual(plain.rest.status, 401, nameOf(sent));
  }
  for (const sent of open) {
    const [connectable, plain] = await bothAnswers(sent, withoutToken);
    assert.deepEqual(connectable, plain, nameOf(sent));
  }
});

for (const [name, authorization, error] of [
  ['without a token', withoutToken, ''],
  ['with an invalid token', withBadToken, ', error="invalid_token"'],
] as const)
  for (const [surface, requests, metadata] of [
    ['REST', protectedRest, '/.well-known/oauth-protected-resource'],
    ['MCP', protectedMcp, '/.well-known/oauth-protected-resource/mcp'],
  ] as const)
    test(`a 401 of ${surface} ${name} differs in the header WWW-Authenticate alone, which without OAuth is as it always was`, async () => {
      for (const sent of requests) {
        const [connectable, plain] = await bothAnswers(sent, authorization);
        assert.equal(plain.rest.status, 401, nameOf(sent));
        assert.deepEqual(connectable.rest, plain.rest, nameOf(sent));
        assert.equal(plain.challenge, `Bearer realm="candidate-profile"${error}`);
        assert.equal(
          connectable.challenge,
          `Bearer realm="candidate-profile"${error}, resource_metadata="http://127.0.0.1:3000${metadata}", scope="profile:read"`,
        );
      }
    });

test('besides, documents that say how to connect say more, and the paths of OAuth are there', async () => {
  const found: Record<string, string[]> = { same: [], longer: [], added: [], other: [] };
  for (const sent of [...documents, ...addresses]) {
    const [connectable, plain] = await bothAnswers(sent, withoutToken);
    const isAdded = plain.rest.status === 404 && plain.challenge === null;
    const isLonger = connectable.rest.status === 200 && connectable.rest.body.length > plain.rest.body.length;
    const kind = isDeepStrictEqual(connectable, plain) ? 'same' : isAdded ? 'added' : isLonger ? 'longer' : 'other';
    found[kind]?.push(sent[0]);
  }
  assert.deepEqual(found, {
    same: ['/docs/client', '/docs/client.ts', '/.well-known/jwks.json'],
    longer: [
      '/',
      '/llms.txt',
      '/openapi.json',
      '/docs',
      '/docs/mcp',
      '/privacy',
      '/.well-known/api-catalog',
      '/mcp/server-card',
    ],
    added: addresses.map(([path]) => path),
    other: [],
  });
});
