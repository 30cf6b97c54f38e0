import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { callTool, mcpRequest, type Revision } from '../../bench/mcp-messages.ts';
import { openTestService } from '../support/in-process.ts';
import { openPage, postForm } from '../support/pages.ts';

const service = await openTestService();
after(service.close);

/** The rows of `docs/scaling.md` by their addresses. */
const rows = new Map(
  readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
    .split('## What a shared cache may keep')[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Address|---)/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
    .map(([address, ...said]) => [address!, said]),
);

/** A response, and whether its request had a token. */
interface Exchange {
  readonly response: Response;
  readonly isAuthorized?: boolean;
}

const get = (...paths: string[]) =>
  Promise.all(paths.map(async (path): Promise<Exchange> => ({ response: await service.ask(path) })));
const getAuthorized = (...paths: string[]) =>
  Promise.all(
    paths.map(async (path): Promise<Exchange> => ({ response: await service.get(path), isAuthorized: true })),
  );

async function callMcp(revision: Revision): Promise<Exchange[]> {
  const sent = [callTool(revision, 'get_candidate'), mcpRequest(revision, 'tools/list', {})];
  return Promise.all(
    sent.map(async ({ body, headers }) => ({
      response: await service.ask('/mcp', {
        method: 'POST',
        body: body!,
        headers: { ...headers, authorization: `Bearer ${service.token}` },
      }),
      isAuthorized: true,
    })),
  );
}

async function assetsOfPage(): Promise<string[]> {
  const page = await (await openPage(service, '/')).text();
  return [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

const signedLink = async () =>
  ((await (await service.get('/resume?format=pdf')).json()) as { url: string }).url.replace(service.baseUrl, '');

const asMarkdown = { accept: 'text/markdown' };

/** The responses that a row is about. */
const exchanges: Record<string, () => Promise<Exchange[]>> = {
  '`/assets/*`': async () => get(...(await assetsOfPage())),
  '`/` as a page (`Accept: text/html`)': async () => [{ response: await openPage(service, '/') }],
  '`/` as Markdown (`Accept: text/markdown`)': async () => [
    { response: await service.ask('/', { headers: asMarkdown }) },
  ],
  '`/` as Markdown with a token': async () => [{ response: await service.get('/', asMarkdown), isAuthorized: true }],
  '`/` otherwise': () => get('/'),
  '`/docs`, `/docs/mcp`, `/docs/client`, `/privacy`': () => get('/docs', '/docs/mcp', '/docs/client', '/privacy'),
  '`/openapi.json`, `/docs/client.ts`, `/.well-known/jwks.json`, `/llms.txt`, `/robots.txt`, `/favicon.svg`, `/og.png`, `/qr.svg`, `/sitemap.xml`, `/.well-known/api-catalog`, `/.well-known/ai-catalog.json`, `/mcp/server-card`, `/.well-known/mcp/server-card.json`, `/.well-known/agent-skills/*`':
    () =>
      get(
        '/openapi.json',
        '/docs/client.ts',
        '/.well-known/jwks.json',
        '/llms.txt',
        '/robots.txt',
        '/favicon.svg',
        '/og.png',
        '/og.png?v=1',
        '/qr.svg',
        '/sitemap.xml',
        '/.well-known/api-catalog',
        '/.well-known/ai-catalog.json',
        '/mcp/server-card',
        '/.well-known/mcp/server-card.json',
        '/.well-known/agent-skills/index.json',
        '/.well-known/agent-skills/read-a-candidate/SKILL.md',
      ),
  '`/.well-known/oauth-protected-resource*`, `/.well-known/oauth-authorization-server*`, `/.well-known/openid-configuration*`, `/mcp/.well-known/*`':
    () =>
      get(
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/mcp',
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-authorization-server/mcp',
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/mcp',
        '/mcp/.well-known/oauth-authorization-server',
        '/mcp/.well-known/openid-configuration',
      ),
  '`/files/resume.pdf?…`, a signed link': async () => get(await signedLink()),
  'reads with a token, such as `/candidate`': () =>
    getAuthorized('/candidate', '/experience', '/projects', '/availability', '/resume', '/resume?format=pdf'),
  '`/me`, `POST /auth/token`, `POST /contact`': async () => [
    ...(await getAuthorized('/me')),
    { response: await service.post('/auth/token', { email: 'visitor@example.org' }) },
    {
      response: await service.post('/contact', {
        name: 'Ada',
        email: 'ada@example.org',
        company: 'Engines',
        message: 'Hello',
      }),
      isAuthorized: true,
    },
  ],
  '`POST /mcp`': async () => [...(await callMcp('2026-07-28')), ...(await callMcp('2025-11-25'))],
  '`POST /`, `/profile*`, `/desk*`': async () => [
    { response: await postForm(service, '/', { email: 'visitor@example.org' }) },
    { response: await postForm(service, '/profile', { token: service.token }) },
    ...(await get('/profile', '/desk', '/desk/inbox')),
  ],
  '`/oauth/*`': () => get('/oauth/authorize', '/oauth/consent/x', '/oauth/token', '/oauth/register', '/oauth/revoke'),
  '`/healthz`, `/readyz`': () => get('/healthz', '/readyz'),
  'every failure, such as 401, 404 and 405': async () => [
    ...(await get('/candidate', '/none', '/assets/none.css', '/files/resume.pdf?expires=1&signature=x', '/mcp')),
    ...(await getAuthorized('/experience/none', '/experience?current=maybe')),
    { response: await openPage(service, '/none') },
    { response: await openPage(service, '/files/resume.pdf') },
    { response: await service.post('/candidate', {}) },
    { response: await service.post('/auth/token', { email: 'none' }) },
  ],
};

/** The directives of a response, and its validator if it has one, as the table writes them. */
const sentBy = ({ headers }: Response): string =>
  `\`${headers.get('cache-control')}\`${headers.has('etag') ? ', `ETag`' : ''}`;

/** Whether a shared cache may store and reuse a response: RFC 9111, sections 3, 3.5 and 4.2; and section 9.3.3 of RFC 9110 for POST. */
function permissionOf({ response, isAuthorized = false }: Exchange): string {
  const directives = (response.headers.get('cache-control') ?? '').split(/,\s*/);
  const has = (name: string) => directives.includes(name);
  if (has('no-store') || has('private')) return 'no';
  if (isAuthorized && !has('public') && !has('must-revalidate')) return 'no';
  const seconds = Number(directives.find((one) => one.startsWith('max-age='))?.slice('max-age='.length) ?? 0);
  return has('no-cache') || seconds === 0 ? 'if it asks each time' : `for ${seconds / 86_400} days`;
}

/** The URL, and the request headers that the response depends on; those of a response that is not kept don't matter. */
function keyOf({ response: { headers } }: Exchange): string {
  const names = (headers.get('vary') ?? '').split(/,\s*/).filter((name) => name !== '');
  return ['URL', ...names.map((name) => `\`${name}\``)].join(', ');
}

test('docs/scaling.md says of each address what the service sends, and whether a shared cache may keep it', async () => {
  assert.deepEqual([...rows.keys()], Object.keys(exchanges));
  for (const [address, [sent = '', permission, key]] of rows) {
    const found = await exchanges[address]!();
    assert.ok(found.length > 0, address);
    for (const exchange of found) {
      const { response } = exchange;
      const [usual = '', ofStreams] = sent.split('; event streams ');
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      assert.equal(sentBy(response), isStream ? ofStreams : usual, `${address} ${response.url} ${response.status}`);
      assert.equal(permissionOf(exchange), permission, address);
      assert.equal(permission === 'no' ? '–' : keyOf(exchange), key, address);
    }
  }
});

test('every address that answers a GET without a token is in the table of what a shared cache may keep', async () => {
  const named = [...rows.keys()].flatMap((cell) =>
    [...cell.matchAll(/`(?:POST )?(\/[^`?]*)/g)].map(([, path]) => path!),
  );
  const patterns = named.map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace('*', '.*')}$`));
  for (const { method, path } of await service.app.routes()) {
    if (!['GET', 'ALL'].includes(method) || path === '/*') continue;
    const { status } = await service.ask(path.replaceAll(/:\w+(\{.*?\})?\??/g, 'x'));
    if (status < 400)
      assert.ok(
        patterns.some((pattern) => pattern.test(path)),
        `${method} ${path} answers ${status}`,
      );
  }
});

test('a cache that ignores Vary, and asks for the first path with the index that it keeps, gets the page for a browser', async () => {
  const index = await service.ask('/');
  const page = await openPage(service, '/', { 'if-none-match': index.headers.get('etag')! });
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
});
