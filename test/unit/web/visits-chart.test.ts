import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitsChart } from '../../../src/surfaces/web/desk/figures.ts';
import { timesIn } from '../../../src/surfaces/web/desk/time.ts';

const times = timesIn('Europe/Berlin', new Date('2026-11-22T12:00:00Z'));
const day = (date: string) => new Date(`${date}T00:00:00+01:00`);
const bar = (date: string, visits: number, people: number, lastDay = date) => ({
  from: day(date),
  lastDay: day(lastDay),
  visits,
  people,
});
const chartOf = async (...bars: ReturnType<typeof bar>[]) => String(await visitsChart(bars, times));

test('the chart has a bar a day that says its value on focus, days below, and a table', async () => {
  const html = await chartOf(bar('2026-11-20', 0, 0), bar('2026-11-21', 1, 1), bar('2026-11-22', 4, 2));
  assert.match(html, /aria-label="5 visits, at most 4 a day"/);
  const bars = [
    ...html.matchAll(
      /<g class="bar-of-chart" tabindex="0" role="img" aria-label="([^"]+)">.*?height="(\d+)" fill="currentColor".*?<text class="value"[^>]*>([^<]+)<.text><text class="day"[^>]*>([^<]+)</g,
    ),
  ];
  assert.deepEqual(
    bars.map(([, label, height, value, name]) => [label, height, value === label, name]),
    [
      ['Fri 20 Nov: 0 visits', '0', true, '20 Nov'],
      ['Sat 21 Nov: 1 visit by 1 person', '16', true, '21 Nov'],
      ['Sun 22 Nov: 4 visits by 2 people', '64', true, '22 Nov'],
    ],
  );
  const rows = [...html.matchAll(/<tr><td>([^<]+)<.td><td class="number">(\d+)<.td><td class="number">(\d+)<.td>/g)];
  assert.deepEqual(
    rows.map(([, name, visits, people]) => [name, visits, people]),
    [
      ['Sun 22 Nov', '4', '2'],
      ['Sat 21 Nov', '1', '1'],
      ['Fri 20 Nov', '0', '0'],
    ],
  );
  assert.doesNotMatch(html, /style=/);
});

test('the bars stand on the axis, each in the middle of its part of the width, with its day below', async () => {
  const html = await chartOf(bar('2026-11-20', 0, 0), bar('2026-11-21', 1, 1), bar('2026-11-22', 4, 2));
  assert.match(html, /<rect class="axis" x="0" y="86" width="420" height="1"/);
  const bars = html.matchAll(/<rect (x="[^>]*) fill="currentColor"\/><text.*?<text class="day" (x="\d+" y="\d+")/g);
  assert.deepEqual(
    [...bars].map(([, rect, day]) => [rect, day]),
    [
      ['x="22.4" y="86" width="95.2" height="0"', 'x="70" y="100"'],
      ['x="162.4" y="70" width="95.2" height="16"', 'x="210" y="100"'],
      ['x="302.4" y="22" width="95.2" height="64"', 'x="350" y="100"'],
    ],
  );
});

test('a bar of several days names the first and the last', async () => {
  const html = await chartOf(bar('2026-11-09', 2, 1, '2026-11-15'), bar('2026-11-16', 3, 3, '2026-11-22'));
  assert.match(html, /aria-label="5 visits, at most 3 in a bar"/);
  assert.match(html, /aria-label="Mon 9 Nov to Sun 15 Nov: 2 visits by 1 person"/);
  assert.match(html, /<text class="day"[^>]*>15 Nov<.*<text class="day"[^>]*>22 Nov</s);
});

test('days without a visit have a chart, too, and of many days a few are named, today among them', async () => {
  const days = Array.from({ length: 30 }, (_, index) =>
    bar(new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10), 0, 0),
  );
  const html = await chartOf(...days);
  assert.match(html, /aria-label="0 visits, at most 0 a day"/);
  const names = [...html.matchAll(/<text class="day"[^>]*>([^<]+)</g)].map(([, name]) => name);
  assert.deepEqual(names, ['28 Oct', '2 Nov', '7 Nov', '12 Nov', '17 Nov', '22 Nov']);
});
