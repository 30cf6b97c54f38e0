import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resumeLinksOf } from '../../src/surfaces/files.ts';

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
