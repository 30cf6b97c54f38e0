import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { aiCatalogOf, serverCardOf } from '../../src/surfaces/mcp/server-card.ts';
import type { Site } from '../../src/surfaces/web/page.ts';
import { linkHeaderOf, sitemapOf } from '../../src/surfaces/web/public/discovery.ts';
import { fixture } from '../support/files.ts';
import { openUntilEnd } from '../support/pages.ts';
import { openSetup } from '../support/setup.ts';

const service = await openUntilEnd({ after }, { OAUTH: 'on' });
const { ask, get } = service;

const markdown = { accept: 'text/markdown' };
const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The links of a header by their relations, with paths in place of addresses. */
const linksIn = (header: string | null): Record<string, string> =>
  Object.fromEntries(
    [...(header ?? '').matchAll(/<http:\/\/127\.0\.0\.1:3000([^>]*)>; rel="([^"]+)"; type="([^"]+)"/g)].map(
      ([, path, rel, type]) => [rel!, `${path} ${type}`],
    ),
  );

test('each form of the first path names the documents that describe the service, to HEAD as well', async () => {
  const links = {
    'service-desc': '/openapi.json application/json',
    'service-doc': '/docs text/html',
    describedby: '/llms.txt text/plain',
    'api-catalog': '/.well-known/api-catalog application/linkset+json',
    'ai-catalog': '/.well-known/ai-catalog.json application/ai-catalog+json',
    alternate: '/ text/markdown',
  };
  for (const headers of [page, markdown, { accept: 'application/json' }])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers: sent } = await ask('/', { method, headers });
      assert.equal(status, 200);
      assert.deepEqual(linksIn(sent.get('link')), links);
    }
  assert.deepEqual(linksIn((await get('/', markdown)).headers.get('link')), links);
  for (const [path, type] of Object.values(links).map((link) => link.split(' ') as [string, string])) {
    const found = await ask(path, { headers: { accept: type } });
    assert.equal(found.status, 200, path);
    assert.equal(found.headers.get('content-type')!.split(';')[0], type, path);
  }
});

test('the catalogue of APIs leads from each interface to what describes it, and every link is answered', async () => {
  const found = await ask('/.well-known/api-catalog');
  const head = await ask('/.well-known/api-catalog', { method: 'HEAD' });
  assert.deepEqual(linksIn(head.headers.get('link')), {
    'api-catalog': '/.well-known/api-catalog application/linkset+json',
  });
  const { linkset } = (await found.json()) as { linkset: Record<string, string | { href: string; type: string }[]>[] };
  assert.deepEqual(
    linkset.map(({ anchor, ...links }) => [anchor, Object.keys(links)]),
    [
      ['http://127.0.0.1:3000/', ['service-desc', 'service-doc', 'describedby']],
      ['http://127.0.0.1:3000/mcp', ['service-desc', 'service-doc', 'service-meta']],
    ],
  );
  for (const { anchor: _, ...links } of linkset)
    for (const [{ href, type }] of Object.values(links) as [{ href: string; type: string }][]) {
      const { status, headers } = await ask(href.replace(service.baseUrl, ''));
      assert.deepEqual([status, headers.get('content-type')!.split(';')[0]], [200, type], href);
    }
});

test('with OAUTH=off no document leads to OAuth, and the server card says that a token is required', async (t) => {
  const off = await openUntilEnd(t, { OAUTH: 'off' });
  for (const path of ['/', '/.well-known/api-catalog', '/mcp/server-card', '/.well-known/ai-catalog.json']) {
    const found = await off.ask(path, { headers: markdown });
    assert.doesNotMatch((await found.text()) + found.headers.get('link'), /oauth|sign in/i, path);
  }
  const isRequiredBy = async ({ ask }: Pick<typeof off, 'ask'>) => {
    const { remotes } = (await (await ask('/mcp/server-card')).json()) as {
      remotes: { headers: { isRequired: boolean }[] }[];
    };
    return remotes[0]!.headers[0]!.isRequired;
  };
  assert.equal(await isRequiredBy(off), true);
  assert.equal(await isRequiredBy(service), false);
});

test('the map of the site has the pages that anybody may read', async () => {
  const sitemap = await (await ask('/sitemap.xml')).text();
  assert.equal(
    sitemap,
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://127.0.0.1:3000/</loc></url>
<url><loc>http://127.0.0.1:3000/docs</loc></url>
<url><loc>http://127.0.0.1:3000/docs/mcp</loc></url>
<url><loc>http://127.0.0.1:3000/docs/client</loc></url>
<url><loc>http://127.0.0.1:3000/privacy</loc></url>
</urlset>
`,
  );
  for (const [, path] of sitemap.matchAll(/<loc>http:\/\/127\.0\.0\.1:3000([^<]*)</g))
    assert.equal((await ask(path!, { headers: page })).status, 200, path);
});

test('an address with special characters is escaped in the map of the site, and ends no link of the header', () => {
  const site = { baseUrl: `https://example.org/${new URL("http://h/a&b'c,d<e>").pathname.slice(1)}`, hasOauth: true };
  const sitemap = String(sitemapOf(site as Site).body);
  assert.match(sitemap, /<loc>https:\/\/example\.org\/a&amp;b&#39;c,d%3Ce%3E\/docs<\/loc>/);
  assert.match(
    linkHeaderOf(site as Site),
    /^<https:\/\/example\.org\/a&b'c,d%3Ce%3E\/openapi\.json>; rel="service-desc"/,
  );
});

test('the server card fits its schema, and says what a client that connects is told', async () => {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const { $defs } = JSON.parse(readFileSync(fixture('mcp-server-card.schema.json'), 'utf8')) as { $defs: object };
  const isValid = ajv.compile({ $defs, $ref: '#/$defs/ServerCard' });
  for (const [baseUrl, name, identifier] of [
    ['https://ada.example.org', 'org.example.ada/candidate-profile', 'urn:air:ada.example.org:mcp:candidate-profile'],
    [
      'https://example.org/~ada/cv',
      'org.example/candidate-profile.-ada.cv',
      'urn:air:example.org:mcp:candidate-profile.-ada.cv',
    ],
    ['http://127.0.0.1:3000', '127.0.0.1/candidate-profile', 'urn:air:127.0.0.1:mcp:candidate-profile'],
    ['http://[::1]:3000', '-1-/candidate-profile', 'urn:air:[::1]:mcp:candidate-profile'],
  ] as const) {
    const { body } = await serverCardOf({ baseUrl, hasOauth: true, version: '1.2.3' });
    const card = JSON.parse(String(body)) as { name: string };
    assert.ok(isValid(card), ajv.errorsText(isValid.errors));
    assert.equal(card.name, name);
    const catalog = JSON.parse(String(aiCatalogOf({ baseUrl }).body));
    assert.deepEqual(catalog, {
      specVersion: '1.0',
      entries: [{ identifier, type: 'application/mcp-server-card+json', url: `${baseUrl}/mcp/server-card` }],
    });
  }
  const served = (await (await ask('/mcp/server-card')).json()) as {
    title: string;
    version: string;
    remotes: { url: string; supportedProtocolVersions: string[] }[];
  };
  for (const mode of ['auto', 'legacy'] as const) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const { url } = served.remotes[0]!;
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${service.token}` } },
        fetch: (to, init) => service.send(new Request(to, init)),
      }),
    );
    const { title, version } = client.getServerVersion()!;
    assert.deepEqual([served.title, served.version], [title, version]);
    assert.ok(served.remotes[0]!.supportedProtocolVersions.includes(client.getNegotiatedProtocolVersion()!));
  }
  assert.equal(served.remotes[0]!.url, 'http://127.0.0.1:3000/mcp');
  assert.equal(
    await (await ask('/.well-known/mcp/server-card.json')).text(),
    await (await ask('/mcp/server-card')).text(),
  );
});

test('the index of skills leads to the file that is served over MCP, with its digest', async () => {
  const { skills } = (await (await ask('/.well-known/agent-skills/index.json')).json()) as {
    skills: { name: string; type: string; url: string; digest: string }[];
  };
  assert.deepEqual(
    skills.map(({ name, type, url }) => [name, type, url]),
    [['read-a-candidate', 'skill-md', 'http://127.0.0.1:3000/.well-known/agent-skills/read-a-candidate/SKILL.md']],
  );
  const text = await (await ask(skills[0]!.url.replace(service.baseUrl, ''))).text();
  assert.equal(skills[0]!.digest, `sha256:${createHash('sha256').update(text).digest('hex')}`);
  assert.match(text, /^---\nname: read-a-candidate\ndescription: "/);
});

test('before the first profile each of these is unavailable, and the first path leads nowhere', async (t) => {
  const { ask } = await openSetup(t);
  for (const path of [
    '/sitemap.xml',
    '/.well-known/api-catalog',
    '/.well-known/ai-catalog.json',
    '/mcp/server-card',
    '/.well-known/agent-skills/index.json',
  ]) {
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers.get('retry-after')], [503, '60'], path);
  }
  assert.equal((await ask('/', { headers: markdown })).headers.get('link'), null);
});
