import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { signedLinksOf } from '../../../src/adapters/tokens/signatures.ts';

const linksOf = (secrets: () => string[]) =>
  signedLinksOf({
    baseUrl: 'https://profile.example.org',
    path: '/files/resume.pdf',
    secrets: () => secrets().map((secret) => Buffer.from(secret)),
    ttlSeconds: 3_600,
  });
const links = linksOf(() => ['secret']);
const givenAt = new Date('2026-11-21T12:20:00.000Z');

/** Whether a link to the whole profile is valid. */
const isValid = ({ findView }: ReturnType<typeof linksOf>, url: URL, at: Date): boolean =>
  findView(url, [null], at) === null;

test('a link is valid until the second of its expiry', () => {
  const link = new URL(links.at(givenAt, null));
  assert.equal(isValid(links, link, new Date('2026-11-21T13:59:59.999Z')), true);
  assert.equal(isValid(links, link, new Date('2026-11-21T14:00:00.000Z')), false);
});

const now = new Date('2026-11-21T12:20:00.000Z');
const at = 'https://profile.example.org/files/resume.pdf';

/** The link as it would be if an expiry like this were ever signed. */
function signed(expires: string, secret = 'secret'): URL {
  const hmac = createHmac('sha256', secret).update(`/files/resume.pdf?expires=${expires}`);
  return new URL(`${at}?expires=${encodeURIComponent(expires)}&signature=${hmac.digest('base64url')}`);
}

test('the first secret signs links, and links signed with the other secrets stay valid until they expire', () => {
  let secrets = ['new', 'old'];
  const rotated = linksOf(() => secrets);
  assert.equal(rotated.at(now, null), signed('1795269600', 'new').href);
  assert.equal(isValid(rotated, signed('1795269600', 'old'), now), true);
  secrets = ['newest', 'new'];
  assert.equal(rotated.at(now, null), signed('1795269600', 'newest').href);
  assert.equal(isValid(rotated, signed('1795269600', 'new'), now), true);
  assert.equal(isValid(rotated, signed('1795269600', 'old'), now), false);
  assert.equal(rotated.at(new Date('2026-11-21T13:00:00.001Z'), null), signed('1795273200', 'newest').href);
});

test('a link is invalid if any part of it is missing, altered or added', () => {
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
    assert.equal(isValid(links, new URL(`${at}?${query}`), now), false, query);
});

test('a link is to the view that it was signed for, which its address does not name', () => {
  const views = [null, 'systems', 'management', 'public'];
  for (const view of views) {
    const link = links.at(now, view);
    assert.match(link, /^https:[^?]*\/files\/resume\.pdf\?expires=\d+&signature=[\w-]{43}$/);
    assert.equal(links.findView(new URL(link), views, now), view);
    const others = views.filter((other) => other !== view);
    assert.equal(links.findView(new URL(link), others, now), undefined);
  }
});
