import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '../../../src/model/reader.ts';
import type { VisitEvent } from '../../../src/model/visit.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { operations } from '../../../src/operations/index.ts';
import { timesIn } from '../../../src/surfaces/web/desk/time.ts';
import { activityRows } from '../../../src/surfaces/web/desk/today.ts';
import type { Site } from '../../../src/surfaces/web/page.ts';
import { textOf } from '../../support/pages.ts';
import { keyOf, noon, contact as sent } from '../../support/store.ts';

const site = { baseUrl: 'https://lena.dev', path: (path: string) => path } as Site;
const contact = { ...sent, state: 'unread' as const };

const active = (address: string, more: Partial<Activity & { visits: ReturnType<typeof visit>[] }> = {}) => ({
  id: `id-of-${address.length}`,
  key: keyOf(address),
  visitor: byAddress(address),
  lastAt: noon,
  requests: 0,
  connected: [],
  hasErasedReads: false,
  hasRead: false,
  visits: [],
  isFirst: false,
  ...more,
});
const did = (operation: string, item: string | null = null): VisitEvent => ({
  ...{ operation, item, surface: 'rest', client: null, at: noon, until: noon, count: 1 },
});
const visit = (...events: VisitEvent[]) => ({ startedAt: noon, endedAt: noon, clients: [], events });
const experience = [visit(did('list_experience'))];

async function htmlOf(recent: Partial<Parameters<typeof activityRows>[0]>, isRecorded = true): Promise<string> {
  const { messages = [] } = recent;
  const offered = operations.map(({ name }) => name);
  const record = { offered, is_recorded: isRecorded };
  const people = { active: [], unlisted: [], waiting: [] };
  const all = { ...record, messages, message_count: messages.length, ...people, since: noon, ...recent };
  return (await Promise.all(activityRows(all, timesIn('UTC', noon), site))).join('');
}

const sentences = async (...recent: Parameters<typeof htmlOf>) =>
  (await htmlOf(...recent)).split('</li>').map(textOf).filter(Boolean);

test('a row of a message has who wrote it and its first line; more messages than fit are counted', async () => {
  const row = 'Ada Lovelace, Analytical Engines, wrote: “Shall we talk?” ReadReply';
  assert.deepEqual(await sentences({}), []);
  assert.deepEqual(await sentences({ messages: [contact] }), [row]);
  assert.deepEqual(await sentences({ messages: [contact], message_count: 41 }), [
    row,
    'and 40 more wrote to you Inbox',
  ]);
  assert.match(await htmlOf({ messages: [contact] }), /<span class="mark new">/);
  assert.doesNotMatch(await htmlOf({ messages: [{ ...contact, state: 'replied' }] }), /mark new/);
});

test('what a reader did is one sentence', async () => {
  assert.deepEqual(
    await sentences({
      active: [
        active('ada@example.com', { visits: experience }),
        active('bob@example.com', { requests: 2, visits: experience }),
        active('eve@example.com', {
          requests: 1,
          hasErasedReads: true,
          visits: [...experience, visit(did('page'), did('pdf'), did('message', 'contact_1'))],
        }),
        active('fay@example.com', { hasErasedReads: true }),
      ],
    }),
    [
      'ada@example.com read experience.',
      'bob@example.com asked for access twice and read experience.',
      'eve@example.com asked for access, came twice (opened the page, read experience and downloaded the PDF) and erased the record of what they read.',
      'fay@example.com erased the record of what they read.',
    ],
  );
});

test('more readers than fit are counted, with a link to all of them in a period that has them', async () => {
  const unlisted = Array.from({ length: 40 }, (_, index) => active(`r${index}@example.com`, { hasRead: true }));
  const recent = { active: [active('ada@example.com', { visits: experience })], unlisted };
  assert.deepEqual(await sentences(recent), ['ada@example.com read experience.', 'and 40 more came Readers']);
  const linkSince = async (since: string | null) =>
    /href="([^"]+)">Readers</.exec(await htmlOf({ ...recent, since: since === null ? null : new Date(since) }))?.[1];
  assert.equal(await linkSince('2026-11-15T00:00:00Z'), '/desk/readers');
  assert.equal(await linkSince('2026-11-14T23:59:59Z'), '/desk/readers?period=30');
  assert.equal(await linkSince('2026-10-01T12:00:00Z'), '/desk/readers?period=90');
  assert.equal(await linkSince('2025-11-21T12:00:00Z'), '/desk/readers?period=all');
  assert.equal(await linkSince(null), '/desk/readers?period=all');
});

test('those who only asked for access share one sentence', async () => {
  const asked = (count: number) => ({
    waiting: Array.from({ length: count }, (_, index) => active(`r${index}@example.com`, { requests: 1 })),
  });
  assert.deepEqual(await sentences(asked(1)), ['r0@example.com asked for access and has read nothing yet.']);
  assert.deepEqual(await sentences(asked(2)), [
    'r0@example.com and r1@example.com asked for access and have read nothing yet.',
  ]);
  assert.deepEqual(await sentences(asked(43)), [
    'r0@example.com, r1@example.com, r2@example.com and 40 more asked for access and have read nothing yet.',
  ]);
  assert.deepEqual(await sentences(asked(1), false), ['r0@example.com asked for access.']);
  assert.deepEqual(await sentences({ waiting: [active('ada@example.com', { requests: 3 })] }), [
    'ada@example.com asked for access 3 times and has read nothing yet.',
  ]);
});

test('texts of visitors are text, their invisible characters are shown, and no URL has an address', async () => {
  const html = await htmlOf({
    messages: [{ ...contact, name: '<script>alert(1)</script>', company: 'a\u202eb', message: '"><img src=x>' }],
    active: [active('"><b>@example.com', { visits: experience })],
  });
  assert.doesNotMatch(html, /<script|<img|<b>|\u202e/);
  assert.match(html, /a\\u\{202e\}b/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(await htmlOf({ active: [active('ada@example.com')] }), /href="[^"]*ada/);
});

test('the clients that a reader connected are counted, a single one named', async () => {
  assert.deepEqual(
    await sentences({
      active: [
        active('ada@example.com', { connected: ['Claude\u202e'] }),
        active('bob@example.com', { requests: 1, connected: ['A', 'B'], visits: experience }),
      ],
    }),
    [
      'ada@example.com connected Claude\\u{202e}.',
      'bob@example.com asked for access, connected 2 clients and read experience.',
    ],
  );
});

test('readers who are only counted are said to have connected a client if one did', async () => {
  const unlisted = [active('bob@example.com', { connected: ['Claude'] })];
  assert.deepEqual(await sentences({ unlisted }), ['and 1 more connected a client or came Readers']);
});

test('a link is called by its name: opened for the first time, or how often, and what was got through it', async () => {
  const link = { visitor: { kind: 'link', id: '0123456789ab', name: 'Acme, staff engineer' } } as const;
  const page = visit(did('page'));
  assert.deepEqual(
    await sentences({
      active: [
        { ...active('a@example.org'), ...link, requests: 1, isFirst: true, visits: [page] },
        { ...active('b@example.org'), ...link, requests: 3, visits: [page, visit(did('page'), did('pdf'))] },
      ],
    }),
    [
      'Acme, staff engineer was opened for the first time.',
      'Acme, staff engineer was opened 3 times and downloaded the PDF.',
    ],
  );
});
