import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService } from '../support/in-process.ts';

let service: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const page = { origin: 'https://page.example' };
const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');

test('reads have a strong entity tag and are revalidated', async () => {
  const { headers } = await service.get('/candidate');
  assert.match(headers.get('etag') ?? '', /^"[\w-]{22}"$/);
  assert.deepEqual([headers.get('cache-control'), headers.get('vary')], ['private, no-cache', 'Authorization']);
});

test('a read has its Content-Length in bytes, HEAD too', async () => {
  const length = String(Buffer.byteLength(await (await service.get('/experience')).text()));
  for (const method of ['GET', 'HEAD']) {
    const headers = { authorization: `Bearer ${service.token}` };
    const response = await service.ask('/experience', { method, headers });
    assert.equal(response.headers.get('content-length'), length, method);
  }
});

test('304 for a client that has the answer: its tag alone or in a list, and only with a token', async () => {
  const etag = (await service.get('/candidate')).headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `${etag} , "other"`, `"other" , W/${etag}`]) {
    const response = await service.get('/candidate', { 'if-none-match': known });
    assert.deepEqual([response.status, await response.text(), response.headers.get('etag')], [304, '', etag], known);
  }
  for (const other of ['"other"', etag.replace('"', '"W/')])
    assert.equal((await service.get('/candidate', { 'if-none-match': other })).status, 200, other);
  assert.equal((await service.ask('/candidate', { headers: { 'if-none-match': etag } })).status, 401);
});

test('If-None-Match: * is 304 for each read and the record; * within a list or a tag matches nothing', async () => {
  const record = await service.get('/me', { 'if-none-match': '*' });
  assert.deepEqual([record.status, await record.text()], [304, '']);
  for (const path of ['/candidate', '/experience/exp_past', '/resume?format=pdf', '/openapi.json', '/docs'])
    for (const [known, status] of [
      ...[['*', 304] as const, [' * ', 304] as const],
      ...['"other", *', 'W/*', '"a,*,b"', '"*"'].map((other) => [other, 200] as const),
    ])
      assert.equal((await service.get(path, { 'if-none-match': known })).status, status, `${path} ${known}`);
  assert.equal((await service.get('/experience/none', { 'if-none-match': '*' })).status, 404);
  assert.equal((await service.ask('/me', { headers: { 'if-none-match': '*' } })).status, 401);
});

test('a failure has the headers of its status and no others', async () => {
  const names = ['www-authenticate', 'retry-after', 'allow'];
  const namesOf = ({ headers }: Response) => names.filter((name) => headers.has(name));
  assert.deepEqual(namesOf(await service.ask('/candidate')), ['www-authenticate']);
  assert.deepEqual(namesOf(await service.get('/experience/none')), []);
  assert.deepEqual(namesOf(await service.post('/candidate', {})), ['allow']);
});

test('a web page reads with a token and nothing without one, on loopback too [TRUST-44]', async () => {
  assert.equal(service.baseUrl, 'http://127.0.0.1:3000');
  const refused = await service.ask('/candidate', { headers: page });
  assert.equal(refused.status, 401);
  assert.doesNotMatch(await refused.text(), /Tess/);
  const read = await service.get('/candidate', page);
  assert.deepEqual([read.status, allowedOrigin(read)], [200, '*']);
  assert.equal(read.headers.get('access-control-allow-credentials'), null);
  const exposed = 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id';
  assert.equal(read.headers.get('access-control-expose-headers'), exposed);
});

test('a preflight is answered without a token, and may be cached for a day', async () => {
  const response = await service.ask('/contact', { method: 'OPTIONS' });
  assert.deepEqual([response.status, allowedOrigin(response)], [204, '*']);
  for (const [name, value] of [
    ['allow', 'POST, OPTIONS'],
    ['access-control-allow-methods', 'POST, OPTIONS'],
    [
      'access-control-allow-headers',
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-Request-Id, MCP-Protocol-Version',
    ],
    ['access-control-max-age', '86400'],
  ] as const)
    assert.equal(response.headers.get(name), value);
  assert.equal((await service.ask('/candidate', { method: 'OPTIONS' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('a web page may fetch the resume by its link, and ask whether the service is well', async () => {
  const { url } = (await (await service.get('/resume?format=pdf', page)).json()) as { url: string };
  const path = url.slice(service.baseUrl.length);
  const { headers } = await service.ask(path);
  assert.match(headers.get('access-control-expose-headers')!, /Content-Disposition/);
  for (const [changes, status] of [
    [{}, 200],
    [{ range: 'bytes=0-9' }, 206],
    [{ 'if-none-match': headers.get('etag')! }, 304],
    [{ range: 'bytes=99999999-' }, 416],
  ] as const) {
    const file = await service.ask(path, { headers: { ...page, ...changes } });
    assert.deepEqual([file.status, allowedOrigin(file)], [status, '*']);
  }
  for (const probe of ['/healthz', '/readyz'])
    assert.equal(allowedOrigin(await service.ask(probe, { headers: page })), '*');
});

test('a web page that asks for an unknown path reads that it is unknown', async () => {
  const method = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
  const asked = { method: 'OPTIONS', headers: { ...page, ...method } };
  const preflight = await service.ask('/nowhere', asked);
  assert.deepEqual([preflight.status, allowedOrigin(preflight)], [204, '*']);
  assert.match(preflight.headers.get('access-control-allow-headers')!, /^Authorization,/);
  const unknown = await service.get('/nowhere', page);
  assert.deepEqual([unknown.status, allowedOrigin(unknown)], [404, '*']);
  assert.equal((await service.ask('/nowhere', { method: 'OPTIONS' })).status, 404);
  const desk = await service.ask('/desk/nowhere', asked);
  assert.deepEqual([desk.status >= 400, desk.headers.get('access-control-allow-methods')], [true, null]);
});
