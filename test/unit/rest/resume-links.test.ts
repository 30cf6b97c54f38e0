import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { resumeLinksOf, resumeResponse } from '../../../src/surfaces/rest/resume-file.ts';

const links = resumeLinksOf('https://profile.example.org', () => [Buffer.from('secret')], 3_600);
const givenAt = new Date('2026-11-21T12:20:00.000Z');

test('a link is valid for as long as is set, and then until the hour is full', () => {
  const expires = new URL(links.at(givenAt)).searchParams.get('expires');
  assert.equal(new Date(Number(expires) * 1_000).toISOString(), '2026-11-21T14:00:00.000Z');
  const onTheHour = new URL(links.at(new Date('2026-11-21T12:00:00.000Z'))).searchParams.get('expires');
  assert.equal(new Date(Number(onTheHour) * 1_000).toISOString(), '2026-11-21T13:00:00.000Z');
});

test('a link opens until the second of its expiry, and no longer', () => {
  const link = new URL(links.at(givenAt));
  assert.equal(links.admits(link, new Date('2026-11-21T13:59:59.999Z')), true);
  assert.equal(links.admits(link, new Date('2026-11-21T14:00:00.000Z')), false);
});

const now = new Date('2026-11-21T12:20:00.000Z');
const at = 'https://profile.example.org/files/resume.pdf';

/** The link as it would be if an expiry like this were ever signed. */
function signed(expires: string, secret = 'secret'): URL {
  const hmac = createHmac('sha256', secret).update(`/files/resume.pdf?expires=${expires}`);
  return new URL(`${at}?expires=${encodeURIComponent(expires)}&signature=${hmac.digest('base64url')}`);
}

test('the first secret signs links, and those of the others open until they expire', () => {
  let secrets = ['new', 'old'];
  const rotated = resumeLinksOf(
    'https://profile.example.org',
    () => secrets.map((secret) => Buffer.from(secret)),
    3_600,
  );
  assert.equal(rotated.at(now), signed('1795269600', 'new').href);
  assert.equal(rotated.admits(signed('1795269600', 'old'), now), true);
  secrets = ['newest', 'new'];
  assert.equal(rotated.at(now), signed('1795269600', 'newest').href);
  assert.equal(rotated.admits(signed('1795269600', 'new'), now), true);
  assert.equal(rotated.admits(signed('1795269600', 'old'), now), false);
  assert.equal(rotated.at(new Date('2026-11-21T13:00:00.001Z')), signed('1795273200', 'newest').href);
});

test('a link of which anything is missing, altered or added does not open', () => {
  const { searchParams } = signed('1795269600');
  const signature = searchParams.get('signature')!;
  for (const query of [
    '',
    'expires=1795269600',
    `signature=${signature}`,
    `expires=1795273200&signature=${signature}`,
    `expires=1795269600&signature=${signature.toLowerCase()}`,
    `expires=1795269600&signature=${signature.slice(1)}`,
    `expires=1795269600&signature=${signature}A`,
  ])
    assert.equal(links.admits(new URL(`${at}?${query}`), now), false, query);
});

test('an expiry is at most 12 digits, and nothing else', () => {
  assert.equal(links.admits(signed('999999999999'), now), true);
  for (const expires of ['9999999999999', '1e12', '1795269600 ', ' 1795269600', '0x99999999', ''])
    assert.equal(links.admits(signed(expires), now), false, expires);
});

const printed = { candidateName: 'Ada', pdf: async () => new Uint8Array(1) };

test('a link that is no longer valid opens a page for people that says where to get another, and is 404 for programs', async () => {
  const open = (headers: Record<string, string>) => resumeResponse(new Request(at, { headers }), false, printed);
  const page = await open({ accept: 'text/html,*/*;q=0.8' });
  assert.equal(page.status, 404);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(await page.text(), /<h1>This link is no longer valid<\/h1>.*<code>GET \/resume\?format=pdf<\/code>/s);
  for (const headers of [{}, { accept: 'application/pdf' }]) {
    const answer = await open(headers);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, 'application/json']);
    assert.deepEqual(await answer.json(), {
      error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' },
    });
  }
});
