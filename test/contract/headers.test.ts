import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService } from '../support/in-process.ts';
import { challenge } from '../support/oauth-setting.ts';
import { postJson } from '../support/post-json.ts';

let service: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

const withAuthorization = (authorization: string) => service.ask('/candidate', { headers: { authorization } });

test('a read has its Content-Length in bytes, HEAD too', async () => {
  const length = String(Buffer.byteLength(await (await service.get('/experience')).text()));
  for (const method of ['GET', 'HEAD']) {
    const headers = { authorization: `Bearer ${service.token}` };
    const response = await service.ask('/experience', { method, headers });
    assert.equal(response.headers.get('content-length'), length, method);
  }
});

test('If-None-Match matches an entity tag alone or anywhere in a list, and not one that only ends like it', async () => {
  const etag = (await service.get('/candidate')).headers.get('etag')!;
  const statusFor = async (known: string) => (await service.get('/candidate', { 'if-none-match': known })).status;
  assert.equal(await statusFor(`${etag} , "other"`), 304);
  assert.equal(await statusFor(`"other" , W/${etag}`), 304);
  assert.equal(await statusFor(etag.replace('"', '"W/')), 200);
});

test('If-None-Match: * is 304 for each read and the record; * within a list or a tag matches nothing', async () => {
  const record = await service.get('/me', { 'if-none-match': '*' });
  assert.deepEqual([record.status, await record.text()], [304, '']);
  for (const path of ['/candidate', '/experience/exp_past', '/resume?format=pdf', '/openapi.json', '/docs']) {
    const statusFor = async (known: string) => (await service.get(path, { 'if-none-match': known })).status;
    assert.deepEqual([await statusFor('*'), await statusFor(' * ')], [304, 304], path);
    for (const other of ['"other", *', 'W/*', '"a,*,b"', '"*"']) assert.equal(await statusFor(other), 200, other);
  }
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

test('a temporary failure has Retry-After', async (t) => {
  // `openTestService` has used the one token per minute.
  const limited = await openTestService({ LIMITS: '0.1' });
  t.after(() => limited.close());
  const refused = await limited.ask('/auth/token', postJson({ email: 'ada@example.org' }));
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
});

test('a page of any origin may read the headers that it needs, and caches the preflight for a day', async () => {
  const exposed = 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id';
  assert.equal((await service.get('/candidate')).headers.get('access-control-expose-headers'), exposed);
  const preflight = await service.ask('/contact', { method: 'OPTIONS' });
  assert.equal(preflight.headers.get('access-control-max-age'), '86400');
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
});

test('a token is read after Bearer and one or more spaces, and from nowhere else [TRUST-4]', async () => {
  const { token } = service;
  assert.equal((await withAuthorization(`Bearer  ${token}`)).status, 200);
  for (const other of [`NotBearer ${token}`, `Basic Bearer ${token}`, `Bearer${token}`, token])
    assert.equal(
      (await withAuthorization(other)).headers.get('www-authenticate'),
      challenge('Bearer realm="candidate-profile"', '/.well-known/oauth-protected-resource'),
    );
});

test('only boolean fields convert the texts true and false', async () => {
  assert.equal((await service.get('/experience/true')).status, 404);
  const response = await service.ask('/auth/token', postJson({ email: 'true' }));
  assert.equal(response.status, 400);
});
