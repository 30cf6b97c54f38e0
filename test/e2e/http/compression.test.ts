import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fixture } from '../../support/files.ts';
import { startService } from '../../support/process.ts';

const { url } = await startService({ after }, { PROFILE: fixture('profile.yaml') });

const html = { accept: 'text/html' };

async function ask(path: string, encoding: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers: { ...headers, 'accept-encoding': encoding } });
  const body = await response.text();
  const [length, etag, vary] = ['content-length', 'etag', 'vary'].map((name) => response.headers.get(name));
  return { status: response.status, encoding: response.headers.get('content-encoding'), body, length, etag, vary };
}

const encodings = {
  gzip: 'gzip',
  br: 'br',
  'gzip, deflate, br, zstd': 'br',
  'br;q=0.5, gzip': 'gzip',
  'br;q=0, gzip;q=0.0': null,
  'gzip;q=0, *': 'br',
  '*;q=0': null,
  'identity, gzip;q=0.5': null,
  'GZIP;Q=1': 'gzip',
  deflate: null,
  '': null,
};

for (const path of ['/openapi.json', '/docs/client.ts', '/qr.svg'])
  test(`${path} is compressed as its client asks, and has one entity tag`, async () => {
    const plain = await ask(path, 'identity');
    assert.deepEqual([plain.status, plain.encoding, plain.vary], [200, null, 'Accept-Encoding']);
    for (const [accepted, expected] of Object.entries(encodings)) {
      const { encoding, body, etag, length } = await ask(path, accepted);
      assert.deepEqual([encoding, body === plain.body, etag], [expected, true, plain.etag], accepted);
      assert.equal(Number(length) < Number(plain.length) / 2, expected !== null, accepted);
      const again = await ask(path, accepted, { 'if-none-match': etag! });
      assert.deepEqual([again.status, again.vary], [304, 'Accept-Encoding']);
    }
  });

test('styles and scripts are compressed, a face is not', async () => {
  const page = (await ask('/docs', 'identity', html)).body;
  for (const [pattern, expected] of [
    [/\/assets\/style\.[\w-]+\.css/, 'br'],
    [/\/assets\/docs\.[\w-]+\.js/, 'br'],
    [/\/assets\/source-[\w-]+\.[\w-]+\.woff2/, null],
  ] as const)
    assert.equal((await ask(pattern.exec(page)![0], 'br')).encoding, expected, `${pattern}`);
});

test('short documents, and pages with a form, are sent as they are', async () => {
  for (const [path, headers] of [
    ['/', html],
    ['/robots.txt', {}],
    ['/.well-known/jwks.json', {}],
    ['/og.png', {}],
  ] as const)
    assert.deepEqual([(await ask(path, 'gzip, br', headers)).encoding, path], [null, path]);
});

test('a page that is the same for everybody is compressed, whatever was asked before', async () => {
  for (const [accepted, expected] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['identity', null],
  ] as const) {
    const { encoding, body } = await ask('/privacy', accepted, html);
    assert.deepEqual([encoding, body.slice(0, 15)], [expected, '<!doctype html>']);
  }
});
