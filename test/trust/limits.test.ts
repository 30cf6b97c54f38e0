import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openLimited, statusesOf } from '../support/visitors.ts';

suite('Limits', { concurrency: true }, () => {
  test('a network address gets 10 tokens a minute, then Retry-After; other addresses are not affected [TRUST-11]', async (t) => {
    const { askToken } = await openLimited(t);
    assert.deepEqual(await statusesOf(11, (n) => askToken('198.51.100.1', `ada${n}@example.org`)), { 200: 10, 429: 1 });
    const refused = await askToken('198.51.100.1');
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    assert.deepEqual(await refused.json(), {
      error: { code: 'RATE_LIMITED', message: `Too many requests. Try again in ${seconds} seconds.` },
    });
    assert.equal((await askToken('198.51.100.2')).status, 200);
  });

  test('a subject may send 5 contact requests an hour, with any number of tokens and from any address [TRUST-10]', async (t) => {
    const { visitor, count } = await openLimited(t);
    const one = await visitor('ada@example.org', '198.51.100.1');
    const other = await visitor('ada@example.org', '198.51.100.2');
    assert.deepEqual(await statusesOf(6, (n) => (n % 2 ? one : other).write()), { 201: 5, 429: 1 });
    assert.equal(count('contacts'), 5);
    const retryAfter = Number((await one.write()).headers.get('retry-after'));
    assert.ok(retryAfter > 3_500 && retryAfter <= 3_600, `${retryAfter}`);
    const bob = await visitor('bob@example.org', '198.51.100.1');
    assert.equal((await bob.write()).status, 201);
  });

  test('a network address sends 10 contact requests an hour, and one visitor’s refusals count for no other [TRUST-10]', async (t) => {
    const { visitor } = await openLimited(t);
    const visitors = await Promise.all(
      ['ada', 'bob', 'cleo'].map((name) => visitor(`${name}@example.org`, '198.51.100.1')),
    );
    assert.deepEqual(await statusesOf(20, () => visitors[0]!.write()), { 201: 5, 429: 15 });
    assert.deepEqual(await statusesOf(5, () => visitors[1]!.write()), { 201: 5 });
    assert.deepEqual(await statusesOf(1, () => visitors[2]!.write()), { 429: 1 });
  });

  test('with default settings the service accepts 1,000 contact requests an hour and not one more [TRUST-10]', async (t) => {
    const { visitor, count } = await openLimited(t);
    const addresses = Array.from({ length: 101 }, (_, n) => `198.51.100.${n + 1}`);
    const writers = await Promise.all(
      addresses.flatMap((address) => ['ada', 'bob'].map((name) => visitor(`${name}@${address}.example`, address))),
    );
    const answers = await Promise.all(
      writers.slice(0, 200).flatMap((writer) => Array.from({ length: 5 }, () => writer.write())),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const refused = await writers[200]!.write();
    assert.equal(refused.status, 429);
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 3_500 && retryAfter <= 3_600, `${retryAfter}`);
    assert.equal(count('contacts'), 1_000);
    assert.equal((await writers[200]!.read('/candidate')).status, 200);
  });

  test('one line of IPv6 sends at most 20 contact requests an hour, whichever of its networks it uses [TRUST-64]', async (t) => {
    const { visitor } = await openLimited(t);
    let stored = 0;
    for (let n = 0; n < 25; n += 1) {
      const { write } = await visitor(`visitor-${n}@example.org`, `2001:db8:7:${n.toString(16).padStart(2, '0')}::1`);
      if ((await write()).status === 201) stored += 1;
    }
    assert.equal(stored, 20);
    assert.equal((await (await visitor('other@example.org', '2001:db8:7:100::1')).write()).status, 201);
  });

  test('a token reads 120 times a minute, HEAD and 304 included, over REST and MCP together', async (t) => {
    const { visitor } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const etag = (await ada.read('/candidate')).headers.get('etag')!;
    assert.deepEqual(await statusesOf(59, () => ada.head('/resume')), { 200: 59 });
    assert.deepEqual(await statusesOf(60, () => ada.read('/candidate', { 'if-none-match': etag })), { 304: 60 });
    const refused = await ada.read('/projects');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) <= 60);
    const other = await visitor('ada@example.org', '198.51.100.1');
    assert.equal((await other.read('/projects')).status, 200);
  });

  test('a network address may download the resume PDF 60 times a minute, HEAD, 304 and ranges included', async (t) => {
    const { visitor, from, folder } = await openLimited(t);
    const ada = await visitor('ada@example.org', '198.51.100.1');
    const { url } = (await (await ada.read('/resume?format=pdf')).json()) as { url: string };
    const { pathname, search } = new URL(url);
    const download = (address: string, init?: RequestInit) => from(address, pathname + search, init);
    const etag = (await download('2001:db8::1')).headers.get('etag')!;
    const known = { headers: { 'if-none-match': etag } };
    assert.deepEqual(await statusesOf(29, () => download('2001:db8::2', { method: 'HEAD' })), { 200: 29 });
    assert.deepEqual(await statusesOf(29, () => download('2001:db8::3', known)), { 304: 29 });
    assert.equal((await download('2001:db8::4', { headers: { range: 'bytes=0-9' } })).status, 206);

    const refused = await download('2001:db8::5', known);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    assert.deepEqual(await refused.json(), {
      error: { code: 'RATE_LIMITED', message: `Too many requests. Try again in ${seconds} seconds.` },
    });
    const [line] = globSync(join(folder, 'audit/*.jsonl')).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((text) => text.includes('limit_hit')),
    );
    assert.equal(JSON.parse(line!).operation, '/files/resume.pdf');
    assert.equal((await download('2001:db8:0:1::1')).status, 200);
    assert.equal((await ada.read('/candidate')).status, 200);
  });

  test('a request with an invalid link to the resume PDF is not counted', async (t) => {
    const { from } = await openLimited(t);
    const open = () => from('198.51.100.1', '/files/resume.pdf?expires=1&signature=x');
    assert.deepEqual(await statusesOf(100, open), { 404: 100 });
  });

  test('quotas stay used after a restart', async (t) => {
    const first = await openLimited(t);
    assert.deepEqual(await statusesOf(10, () => first.askToken('198.51.100.1')), { 200: 10 });
    const second = await openLimited(t, {
      LIMITS: '1',
      DATABASE_URL: join(first.folder, 'candidate-profile.db'),
      SIGNING_KEY: readFileSync(join(first.folder, 'signing-key.json'), 'utf8'),
    });
    assert.equal((await second.askToken('198.51.100.1')).status, 429);
  });
});
