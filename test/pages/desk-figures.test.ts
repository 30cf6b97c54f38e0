import assert from 'node:assert/strict';
import { before, describe, after as onEnd, test } from 'node:test';
import { byAddress } from '../../src/model/visitor.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { textOf } from '../support/pages.ts';
import { type StoredRead, storeReads } from '../support/reads.ts';
import { contact, notice, token } from '../support/store.ts';

// A zone without summer time, so that its midnights can be computed without the code that is tested.
const zone = 'Etc/GMT+5';
const [minute, day] = [60_000, 86_400_000];
const midnight = Math.floor((Date.now() - 300 * minute) / day) * day + 300 * minute;
/** The instant of a time such as `23:50` on clocks of the zone, so many days ago. */
const at = (daysAgo: number, time: string) => {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return new Date(midnight - daysAgo * day + (60 * hours + minutes) * minute);
};

/** The days of a year, today first, on which somebody comes. */
const daysWhere = (isOne: (daysAgo: number) => boolean) =>
  Array.from({ length: 365 }, (_, index) => index).filter(isOne);

/** A year of reads: who does what on which days, with a comment on the visits that each makes. */
const reads: readonly StoredRead[] = [
  // Two visits, with one token each, of one person who spells the address in two ways.
  ...daysWhere((ago) => ago % 7 === 0).flatMap((ago) => [
    { subject: 'Anna@example.org', jti: 'a1', operation: 'page', surface: 'web', at: at(ago, '09:00') },
    { subject: 'Anna@example.org', jti: 'a1', operation: 'page', surface: 'web', at: at(ago, '09:29') },
    { subject: 'anna@EXAMPLE.org', jti: 'a2', operation: 'pdf', surface: 'web', at: at(ago, '09:10') },
  ]),
  // One visit over midnight; of Cora, over the beginning of each period.
  ...[
    { subject: 'ben@example.org', days: daysWhere((ago) => ago % 10 === 3) },
    { subject: 'cora@example.org', days: [7, 30, 90] },
  ].flatMap(({ subject, days }) =>
    days.flatMap((ago) => [
      { subject, jti: subject, operation: 'page', surface: 'web', at: at(ago, '23:50') },
      { subject, jti: subject, operation: 'list_projects', at: at(ago - 1, '00:15') },
    ]),
  ),
  // One visit.
  ...daysWhere((ago) => ago % 30 === 5).map((ago) => ({
    ...{ subject: 'dora@example.org', jti: 'd1', operation: 'page', surface: 'web', at: at(ago, '10:00') },
  })),
  // One visit of one of 25 people each day.
  ...daysWhere(() => true).flatMap((ago) =>
    ['11:00', '11:20', '11:40'].map((time) => {
      const jti = `crowd-${ago % 25}`;
      return { subject: `${jti}@example.org`, jti, operation: 'list_projects', at: at(ago, time) };
    }),
  ),
  // Two visits: half an hour is between them.
  ...daysWhere((ago) => ago % 2 === 0).flatMap((ago) =>
    ['14:00', '14:30'].map((time) => ({
      ...{ subject: 'ivo@example.org', jti: 'i1', operation: 'list_experience', client: 'cursor-vscode 1.0.0' },
      at: at(ago, time),
    })),
  ),
];

describe('The figures of a year', () => {
  let desk: Awaited<ReturnType<typeof signIn>>;
  const closing: (() => Promise<void>)[] = [];
  before(async () => {
    const service = await openTestService({ KEEP_READS: '400d' });
    closing.push(service.close);
    desk = await signIn(service);
    storeReads(`${service.folder}/candidate-profile.db`, reads);
    const { store } = service.opened;
    // One visit of somebody who only writes.
    for (const ago of daysWhere((ago) => ago % 50 === 1))
      await store.contacts.add(
        { ...contact, id: `emil-${ago}`, subject: byAddress('emil@example.org'), receivedAt: at(ago, '16:00') },
        { ...notice, about: `emil-${ago}` },
        null,
      );
    await store.contacts.add(
      { ...contact, id: 'spam', subject: byAddress('spam@example.org'), receivedAt: at(2, '17:00') },
      notice,
      null,
    );
    await store.contacts.setState('spam', 'spam');
    // The visitor of the service has asked today.
    for (const [name, ago] of [
      ['frida', 4],
      ['spam', 2],
      ['gus', 40],
    ] as const)
      await store.tokens.add(
        {
          ...token,
          jti: name,
          subject: byAddress(`${name}@example.org`),
          issuedAt: at(ago, '08:00'),
          expiresAt: at(-90, '08:00'),
        },
        { ...notice, kind: 'auth_request', about: name },
      );
  });
  onEnd(async () => {
    for (const close of closing) await close();
  });

  const pageAt = async (path: string) => {
    const { cookie } = desk;
    return (await desk.get(path, { cookie: `${cookie}; desk_zone=${zone}` })).text();
  };
  /** The figures of a period, each with the difference to the period before. */
  const figuresIn = (page: string) =>
    [...page.matchAll(/<div><dt>([^<]+)<.dt><dd>([^<\s]+)(?: <span><span[^>]*>([^<]+))?/g)].map(
      ([, words, count, difference]) => [words, count, difference].filter(Boolean).join(' '),
    );
  /** The visits and the people of each bar. */
  const barsIn = (page: string) =>
    [...page.matchAll(/<td class="number">(\d+)<.td><td class="number">(\d+)<.td><.tr>/g)].map(
      ([, visits, people]) => `${visits} ${people}`,
    );

  for (const [period, bars, visits, figures] of [
    // Anna 2, Ben 1, Cora 1 (what is left of the one that began on the day before), Dora 1, Emil 1, the crowd 7, Ivo 4 times 2.
    ['7', 7, 21, ['people came 13 +2', 'visits 21 +4', 'got the PDF 1 ±0', 'asked, and read nothing 3']],
    // Anna 5 times 2, Ben 3, Cora 2, Dora 1, Emil 1, the crowd 30, Ivo 15 times 2; before: 8 + 3 + 1 + 1 + 1 + 30 + 30.
    ['30', 30, 77, ['people came 31 ±0', 'visits 77 +3', 'got the PDF 1 ±0', 'asked, and read nothing 3']],
    // Anna 13 times 2, Ben 9, Cora 3, Dora 3, Emil 2, the crowd 90, Ivo 45 times 2; before: 26 + 9 + 1 + 3 + 2 + 90 + 90.
    ['90', 90, 223, ['people came 31 ±0', 'visits 223 +2', 'got the PDF 1 ±0', 'asked, and read nothing 4']],
    // Anna 53 times 2, Ben 37, Cora 3, Dora 12, Emil 8, the crowd 365, Ivo 183 times 2.
    ['all', 53, 897, ['people came 31', 'visits 897', 'got the PDF 1', 'asked, and read nothing 4']],
  ] as const)
    test(`of the period ${period}`, async () => {
      const page = await pageAt(`/desk?period=${period}`);
      assert.deepEqual(figuresIn(page), figures);
      const inBars = barsIn(page);
      assert.deepEqual([inBars.length, inBars.reduce((sum, bar) => sum + Number.parseInt(bar, 10), 0)], [bars, visits]);
      if (period === '7') assert.equal(inBars.join(', '), '5 3, 2 2, 3 2, 2 2, 3 2, 2 2, 4 3');
    });

  test('the rows have what each did within the period, and are as many as the people', async () => {
    const page = await pageAt('/desk/readers');
    const [visited = '', idle = ''] = [...page.matchAll(/<table class="readers.*?<.table>/gs)].map(([table]) => table);
    assert.equal(visited.match(/<th scope="row">/g)?.length, 13);
    assert.equal(idle.match(/<th scope="row">/g)?.length, 3);
    const text = textOf(visited).replace(/\s+/g, ' ');
    assert.match(textOf(page), /13 people came, 21 visits in the last 7 days/);
    assert.match(text, /Anna@example\.org – 2 visits: opened the page, downloaded the PDF /);
    assert.match(text, /ben@example\.org – opened the page, read projects /);
    assert.match(text, /cora@example\.org – read projects /);
    assert.match(text, /dora@example\.org – opened the page /);
    assert.match(text, /emil@example\.org – wrote /);
    assert.match(text, /crowd-6@example\.org – read projects 3 times /);
    assert.match(text, /ivo@example\.org Cursor 8 visits: read experience 8 times .* All 8 visits/);
    assert.match(
      textOf(idle),
      /visitor@example\.org asked for access .* spam@example\.org asked for access .* frida@example\.org asked for access /,
    );
    assert.equal((await pageAt('/desk/readers?period=all')).match(/<th scope="row">/g)?.length, 31 + 4);
  });
});
