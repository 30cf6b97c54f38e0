import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readsChart } from '../../../src/surfaces/web/desk/today.ts';

const day = (date: string, reads: number, readers: number) => ({
  day: new Date(`${date}T12:00:00Z`),
  reads,
  readers,
  pdfReaders: 0,
});

test('the chart has a bar for each day, and a table with the same numbers', async () => {
  const html = String(await readsChart([day('2026-11-20', 0, 0), day('2026-11-21', 1, 1), day('2026-11-22', 4, 2)]));
  assert.match(html, /aria-label="5 reads in 3 days, at most 4 a day"/);
  const bars = [...html.matchAll(/<title>([^<]+)<\/title>.*?height="(\d+)" fill="currentColor"/g)];
  assert.deepEqual(
    bars.map(([, title, height]) => [title, height]),
    [
      ['Fri 20 Nov: 0 reads', '0'],
      ['Sat 21 Nov: 1 read by 1 reader', '11'],
      ['Sun 22 Nov: 4 reads by 2 readers', '44'],
    ],
  );
  const rows = [...html.matchAll(/<tr><td>([^<]+)<\/td><td class="number">(\d+)<\/td><td class="number">(\d+)<\/td>/g)];
  assert.deepEqual(
    rows.map(([, , reads, readers]) => [reads, readers]),
    [
      ['0', '0'],
      ['1', '1'],
      ['4', '2'],
    ],
  );
  assert.doesNotMatch(html, /style=/);
});

test('days without a read have a chart, too', async () => {
  assert.match(String(await readsChart([day('2026-11-20', 0, 0)])), /aria-label="0 reads in 1 day, at most 0 a day"/);
});
