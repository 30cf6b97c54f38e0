import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '../../../src/model/reader.ts';
import { operations } from '../../../src/operations/index.ts';
import { newsRows } from '../../../src/surfaces/web/desk/today.ts';
import type { Site } from '../../../src/surfaces/web/page.ts';
import { textOf } from '../../support/pages.ts';
import { noon, contact as sent } from '../../support/store.ts';

const site = { baseUrl: 'https://lena.dev', path: (path: string) => path } as Site;
const contact = { ...sent, state: 'unread' as const };

const active = (address: string, more: Partial<Activity> = {}) => ({
  id: `id-of-${address.length}`,
  canonicalAddress: address,
  address,
  lastAt: noon,
  hasAskedForAccess: false,
  connected: [],
  hasErasedReads: false,
  reads: [],
  ...more,
});
const experience = [{ operation: 'list_experience', item: null, count: 1 }];

async function htmlOf(news: Partial<Parameters<typeof newsRows>[0]>, isRecorded = true): Promise<string> {
  const { messages = [] } = news;
  const offered = operations.map(({ name }) => name);
  const record = { offered, is_recorded: isRecorded };
  const all = { ...record, messages, message_count: messages.length, activity: [], maxTold: 10, since: noon, ...news };
  return (await Promise.all(newsRows(all, site))).join('');
}

const sentences = async (...news: Parameters<typeof htmlOf>) =>
  (await htmlOf(...news)).split('</li>').map(textOf).filter(Boolean);

test('nothing makes no rows', async () => {
  assert.deepEqual(await sentences({}), []);
});

test('a message is told with who wrote it and its first line', async () => {
  assert.deepEqual(await sentences({ messages: [contact] }), [
    'Ada Lovelace, Analytical Engines, wrote: “Shall we talk?” ReadReply',
  ]);
});

test('a message is marked as new until the owner has opened it', async () => {
  assert.match(await htmlOf({ messages: [contact] }), /<span class="mark new">/);
  assert.doesNotMatch(await htmlOf({ messages: [{ ...contact, state: 'replied' }] }), /mark new/);
});

test('more messages than fit are counted', async () => {
  assert.deepEqual(await sentences({ messages: [contact], message_count: 41 }), [
    'Ada Lovelace, Analytical Engines, wrote: “Shall we talk?” ReadReply',
    'and 40 more wrote to you Inbox',
  ]);
});

test('what a reader did is one sentence', async () => {
  assert.deepEqual(
    await sentences({
      activity: [
        active('ada@example.com', { reads: experience }),
        active('bob@example.com', { hasAskedForAccess: true, reads: experience }),
        active('eve@example.com', {
          hasAskedForAccess: true,
          hasErasedReads: true,
          reads: [...experience, { operation: 'get_resume', item: 'pdf', count: 1 }],
        }),
        active('fay@example.com', { hasErasedReads: true }),
      ],
    }),
    [
      'ada@example.com read experience.',
      'bob@example.com asked for access and read experience.',
      'eve@example.com asked for access, read experience, asked for the PDF and erased the record of what they read.',
      'fay@example.com erased the record of what they read.',
    ],
  );
});

test('more readers than fit are counted, with a link to all of them', async () => {
  const activity = Array.from({ length: 50 }, (_, index) => active(`r${index}@example.com`, { reads: experience }));
  const rows = await sentences({ activity });
  assert.equal(rows.length, 11);
  assert.deepEqual(rows.slice(9), ['r9@example.com read experience.', 'and 40 more read something Readers']);
  assert.match(await htmlOf({ activity }), /href="\/desk\/readers\?since=2026-11-2[01]">Readers</);
});

test('those who only asked for access share one sentence', async () => {
  const asked = (count: number) => ({
    activity: Array.from({ length: count }, (_, index) => active(`r${index}@example.com`, { hasAskedForAccess: true })),
  });
  assert.deepEqual(await sentences(asked(1)), ['r0@example.com asked for access and has read nothing yet.']);
  assert.deepEqual(await sentences(asked(2)), [
    'r0@example.com and r1@example.com asked for access and have read nothing yet.',
  ]);
  assert.deepEqual(await sentences(asked(43)), [
    'r0@example.com, r1@example.com, r2@example.com and 40 more asked for access and have read nothing yet.',
  ]);
  assert.deepEqual(await sentences(asked(1), false), ['r0@example.com asked for access.']);
});

test('texts of visitors are text, and their invisible characters are shown', async () => {
  const html = await htmlOf({
    messages: [{ ...contact, name: '<script>alert(1)</script>', company: 'a\u202eb', message: '"><img src=x>' }],
    activity: [active('"><b>@example.com', { reads: experience })],
  });
  assert.doesNotMatch(html, /<script|<img|<b>|\u202e/);
  assert.match(html, /a\\u\{202e\}b/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
});

test('an address is never part of a URL of the desk', async () => {
  const html = await htmlOf({ activity: [active('ada@example.com', { reads: experience })] });
  assert.doesNotMatch(html, /href="[^"]*ada/);
});

test('the clients that a reader connected are told, one by its name', async () => {
  assert.deepEqual(
    await sentences({
      activity: [
        active('ada@example.com', { connected: ['Claude\u202e'] }),
        active('bob@example.com', { hasAskedForAccess: true, connected: ['A', 'B'], reads: experience }),
      ],
    }),
    [
      'ada@example.com connected Claude\\u{202e}.',
      'bob@example.com asked for access, connected 2 clients and read experience.',
    ],
  );
});

test('readers who are only counted are said to have connected a client if one did', async () => {
  const activity = ['ada', 'bob'].map((name) => active(`${name}@example.com`, { connected: ['Claude'] }));
  assert.deepEqual((await sentences({ activity, maxTold: 1 })).slice(1), [
    'and 1 more connected a client or read something Readers',
  ]);
});
