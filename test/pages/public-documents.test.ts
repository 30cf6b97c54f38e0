import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { openUntilEnd } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

const PROFILE = join(newFolder({ after }), 'profile.yaml');
const text = readFileSync(fixture('profile.yaml'), 'utf8');
writeFileSync(PROFILE, text);
const service = await openUntilEnd({ after }, { PROFILE });

const documents = {
  '/': 'application/json',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/favicon.svg': 'image/svg+xml',
  '/og.png': 'image/png',
  '/qr.svg': 'image/svg+xml',
  '/sitemap.xml': 'application/xml; charset=utf-8',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/agent-skills/read-a-candidate/SKILL.md': 'text/markdown; charset=utf-8',
};

test('each public document answers GET and HEAD with its type, any page may read it, and nobody writes it', async () => {
  for (const [path, type] of Object.entries(documents)) {
    const found = await service.ask(path);
    const body = await found.arrayBuffer();
    assert.equal(found.status, 200, path);
    assert.equal(found.headers.get('content-type'), type);
    assert.equal(found.headers.get('content-length'), String(body.byteLength));
    assert.equal(found.headers.get('cache-control'), 'public, no-cache');
    assert.equal(found.headers.get('access-control-allow-origin'), '*');
    const head = await service.ask(path, { method: 'HEAD' });
    assert.deepEqual([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
    assert.deepEqual([...head.headers], [...found.headers]);
    const unchanged = await service.ask(path, { headers: { 'if-none-match': found.headers.get('etag')! } });
    assert.equal(unchanged.status, 304);
    const refused = await service.ask(path, { method: 'DELETE' });
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], path);
    assert.equal((await service.ask(path, { method: 'OPTIONS' })).status, 204);
  }
});

test('the first path is a page for browsers and an index for programs, and says that it depends on Accept', async () => {
  const typeOf = async (accept: string) => {
    const { headers } = await service.ask('/', { headers: { accept } });
    return [headers.get('content-type'), headers.get('vary')];
  };
  assert.deepEqual(await typeOf('text/html,application/xhtml+xml,*/*;q=0.8'), [
    'text/html; charset=utf-8',
    'Accept, Cookie',
  ]);
  for (const accept of ['application/json', '*/*', 'text/html;q=0.5, application/json'])
    assert.deepEqual(await typeOf(accept), ['application/json', 'Accept, Accept-Encoding']);
});

test('the addresses that the index names answer', async () => {
  const index = (await (await service.ask('/')).json()) as Record<string, string>;
  const others: Record<string, number> = { mcp_url: 401, token_url: 405 };
  for (const [name, url] of Object.entries(index))
    assert.equal((await service.ask(url.replace(service.baseUrl, ''))).status, others[name] ?? 200, name);
});

test('when the owner takes the name back, no public document has it any more', async () => {
  const page = async () => (await service.ask('/', { headers: { accept: 'text/html' } })).text();
  const pictureTag = async () => (await service.ask('/og.png')).headers.get('etag');
  const before = await pictureTag();
  assert.match(await page(), /Tess Example/);
  writeFileSync(PROFILE, `${text}public: []\n`);
  await eventually(async () => !(await page()).includes('Tess Example'));
  assert.match(await (await service.ask('/llms.txt')).text(), /^# A professional profile\n/);
  const asMarkdown = await service.ask('/', { headers: { accept: 'text/markdown' } });
  assert.match(await asMarkdown.text(), /^# A professional profile\n/);
  assert.doesNotMatch(await (await service.ask('/favicon.svg')).text(), /<text/);
  assert.notEqual(await pictureTag(), before);
});
