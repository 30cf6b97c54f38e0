import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timesIn, zoneOf } from '../../../src/surfaces/web/desk/time.ts';
import { textOf } from '../../support/pages.ts';

// A Sunday; 10:30 in Berlin.
const now = new Date('2026-11-22T09:30:00Z');
const { timeElement, toRelative } = timesIn('Europe/Berlin', now);

test('an instant is given relative to now, the more exactly the closer it is', () => {
  const cases = {
    '2026-11-22T09:29:30Z': 'just now',
    '2026-11-22T09:18:00Z': '12 min ago',
    '2026-11-22T07:30:00Z': '2 h ago',
    '2026-11-21T23:30:00Z': '10 h ago',
    '2026-11-21T22:30:00Z': 'yesterday',
    '2026-11-20T23:30:00Z': 'yesterday',
    '2026-11-18T08:12:00Z': 'Wed 09:12',
    '2026-11-15T08:12:00Z': '15 Nov',
    '2026-01-01T08:12:00Z': '1 Jan',
    '2025-12-31T08:12:00Z': '31 Dec 2025',
    '2026-11-22T09:30:20Z': 'in a minute',
    '2026-11-22T09:42:00Z': 'in 12 min',
    '2026-11-22T12:30:00Z': 'in 3 h',
    '2026-11-23T08:12:00Z': 'tomorrow 09:12',
    '2026-11-25T08:12:00Z': 'Wed 09:12',
    '2026-12-22T08:12:00Z': '22 Dec',
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(cases).map((instant) => [instant, toRelative(new Date(instant))])),
    cases,
  );
});

test('the hours before midnight are counted after it, too', () => {
  assert.equal(
    timesIn('Europe/Berlin', new Date('2026-11-21T23:30:00Z')).toRelative(new Date('2026-11-21T22:00:00Z')),
    '1 h ago',
  );
});

test('the exact instant is given to people and to programs', async () => {
  assert.equal(
    String(await timeElement(new Date('2026-11-18T08:12:00Z'))),
    '<time datetime="2026-11-18T08:12:00.000Z" title="Wednesday, 18 November 2026 at 09:12">Wed 09:12</time>',
  );
});

test('a page says in which time zone its times are, and why in UTC without the cookie of the browser', async () => {
  const noteOf = async (zone: string | null) => textOf(String(await timesIn(zone, now).zoneNote()));
  assert.equal(await noteOf('Europe/Berlin'), 'Times are in Europe/Berlin (GMT+1), the time zone of this browser.');
  assert.equal(await noteOf('UTC'), 'Times are in UTC, the time zone of this browser.');
  assert.equal(await noteOf(null), 'Times are in UTC: only with JavaScript does a browser tell its time zone.');
});

test('the time zone is read from the cookie of the desk, if the zone is known', () => {
  const zoneIn = (cookie: string) => zoneOf(new Request('http://desk', { headers: { cookie } }));
  assert.equal(zoneIn('desk=x; desk_zone=America%2FNew_York'), 'America/New_York');
  assert.equal(zoneIn('desk_zone=Europe/Berlin'), 'Europe/Berlin');
  for (const none of ['', 'desk=x', 'desk_zone=', 'desk_zone=Nowhere', `desk_zone=${'a'.repeat(4000)}`, 'desk_zone=%'])
    assert.equal(zoneIn(none), null, none);
});
