import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, mcpRequest } from '../../bench/mcp-messages.ts';
import { openTestService } from '../support/in-process.ts';
import { openPage, postForm } from '../support/pages.ts';

const service = await openTestService();
after(service.close);

const asked = new Set<string>();
const get = (paths: readonly string[], headers: Record<string, string> = {}) =>
  Promise.all(
    paths.map((path) => {
      asked.add(path.split('?')[0]!);
      return service.ask(path, { headers });
    }),
  );
const getAuthorized = (...paths: string[]) => Promise.all(paths.map((path) => service.get(path)));

async function assetsOfPage(): Promise<string[]> {
  const page = await (await openPage(service, '/')).text();
  return [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

const signedLink = async () =>
  ((await (await service.get('/resume?format=pdf')).json()) as { url: string }).url.replace(service.baseUrl, '');

const callMcp = () =>
  Promise.all(
    (['2026-07-28', '2025-11-25'] as const)
      .flatMap((revision) => [callTool(revision, 'get_candidate'), mcpRequest(revision, 'tools/list', {})])
      .map(({ body, headers }) => {
        const authorization = `Bearer ${service.token}`;
        return service.ask('/mcp', { method: 'POST', body: body!, headers: { ...headers, authorization } });
      }),
  );

const pages = ['/docs', '/docs/mcp', '/docs/client', '/privacy'];
const documents = [
  ...['/openapi.json', '/docs/client.ts', '/.well-known/jwks.json', '/llms.txt', '/robots.txt', '/favicon.svg'],
  ...['/og.png', '/og.png?v=1', '/qr.svg', '/sitemap.xml', '/.well-known/api-catalog', '/.well-known/ai-catalog.json'],
  ...['/mcp/server-card', '/.well-known/mcp/server-card.json', '/.well-known/agent-skills/index.json'],
  '/.well-known/agent-skills/read-a-candidate/SKILL.md',
  ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/mcp'],
  ...['/.well-known/openid-configuration', '/.well-known/openid-configuration/mcp'],
  ...['/mcp/.well-known/oauth-authorization-server', '/mcp/.well-known/openid-configuration'],
];
const reads = ['/candidate', '/experience', '/projects', '/availability', '/resume', '/resume?format=pdf'];
const oauth = ['/oauth/authorize', '/oauth/consent/x', '/oauth/token', '/oauth/register', '/oauth/revoke'];
const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

test('a shared cache may keep assets for a year, since their address changes with them', async () => {
  for (const { headers } of await get(await assetsOfPage()))
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('vary')],
      ['public, max-age=31536000, immutable', 'Accept-Encoding'],
    );
});

test('a shared cache has to ask each time for what is the same for everybody', async () => {
  const encoded = 'Accept-Encoding';
  for (const [responses, control, vary] of [
    [await get(['/']), 'public, no-cache', 'Accept, Accept-Encoding'],
    [await get(['/'], { accept: 'text/markdown' }), 'public, no-cache', 'Accept, Authorization, Accept-Encoding'],
    [await get(pages), 'public, max-age=0, must-revalidate', encoded],
    [await get(documents), 'public, no-cache', encoded],
  ] as const)
    for (const { url, headers } of responses)
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('vary'), headers.has('etag')],
        [control, vary, true],
        url,
      );
});

test('a shared cache may not keep what was sent to one visitor', async () => {
  const ofVisitor = [
    await service.get('/', { accept: 'text/markdown' }),
    ...(await get([await signedLink()])),
    ...(await getAuthorized(...reads)),
  ];
  for (const { url, headers } of ofVisitor)
    assert.deepEqual([headers.get('cache-control'), headers.has('etag')], ['private, no-cache', true], url);
});

test('no cache may keep pages, forms, messages, tokens, states and failures', async () => {
  const responses = [
    await openPage(service, '/'),
    await postForm(service, '/', { email: 'visitor@example.org' }),
    await postForm(service, '/profile', { token: service.token }),
    await service.post('/auth/token', { email: 'visitor@example.org' }),
    await service.post('/contact', message),
    await service.post('/candidate', {}),
    await service.post('/auth/token', { email: 'none' }),
    await openPage(service, '/none'),
    await openPage(service, '/files/resume.pdf'),
    ...(await getAuthorized('/me', '/experience/none', '/experience?current=maybe')),
    ...(await get([...oauth, '/healthz', '/readyz', '/profile', '/desk', '/desk/inbox'])),
    ...(await get(['/candidate', '/none', '/assets/none.css', '/files/resume.pdf?expires=1&signature=x', '/mcp'])),
    ...(await callMcp()),
  ];
  for (const { url, status, headers } of responses) {
    const isStream = headers.get('content-type') === 'text/event-stream';
    assert.equal(headers.get('cache-control'), isStream ? 'no-cache, no-transform' : 'no-store', `${url} ${status}`);
  }
});

test('no cache may keep what another address answers without a token', async () => {
  for (const { method, path } of await service.app.routes()) {
    const start = path.split(/[:*]/)[0]!;
    if (!['GET', 'ALL'].includes(method) || path === '/*' || [...asked].some((one) => one.startsWith(start))) continue;
    const { headers } = await service.ask(path.replaceAll(/:\w+(\{.*?\})?\??/g, 'x'));
    assert.equal(headers.get('cache-control'), 'no-store', path);
  }
});

test('a cache that ignores Vary and asks for the first path with its index gets the page for a browser', async () => {
  const index = await service.ask('/');
  const page = await openPage(service, '/', { 'if-none-match': index.headers.get('etag')! });
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
});
