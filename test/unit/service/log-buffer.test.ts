import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLogBuffer } from '../../../src/service/log.ts';
import { newFolder } from '../../support/files.ts';
import { openPipe } from '../../support/pipe.ts';

function openFile(t: TestContext, path = join(newFolder(t), 'log')) {
  const fd = openSync(path, 'a');
  t.after(() => closeSync(fd));
  return { fd, text: () => readFileSync(path, 'utf8') };
}

const options = { flushLength: 20, onDropped: () => assert.fail('nothing is dropped') };

test('a line is written 100 ms after it was logged, together with those that followed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fd, text } = openFile(t);
  const buffer = openLogBuffer({ ...options, to: fd });
  buffer.write('first\n');
  t.mock.timers.tick(99);
  buffer.write('second\n');
  assert.equal(text(), '');
  t.mock.timers.tick(1);
  assert.equal(text(), 'first\nsecond\n');
  buffer.write('third\n');
  t.mock.timers.tick(100);
  assert.equal(text(), 'first\nsecond\nthird\n');
});

test('lines are written at once as soon as they are long enough together, or if that is asked for', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fd, text } = openFile(t);
  const buffer = openLogBuffer({ ...options, to: fd });
  buffer.write('twelve long\n');
  assert.equal(text(), '');
  buffer.write('eight l\n');
  assert.equal(text(), 'twelve long\neight l\n');
  buffer.write('é\n');
  buffer.flush();
  assert.equal(text(), 'twelve long\neight l\né\n');
});

test('lines beyond 1 MiB for a pipe that nobody reads are dropped and counted', (t) => {
  const pipe = openPipe(t);
  pipe.fill();
  const counts: number[] = [];
  const buffer = openLogBuffer({
    to: pipe.writer,
    flushLength: 16_384,
    onDropped: (count) => {
      counts.push(count);
      buffer.write('some were dropped\n');
    },
  });
  for (let index = 0; index < 20_000; index += 1) buffer.write(`${'x'.repeat(99)}\n`);
  const parts: Buffer[] = [];
  do parts.push(pipe.read());
  while (buffer.flush() === 'EAGAIN');
  parts.push(pipe.read());
  // 1 MiB is 10,485 lines of 100 bytes; the last two are refused because their characters could take three bytes each.
  const expected = `${`${'x'.repeat(99)}\n`.repeat(10_483)}some were dropped\n`;
  assert.ok(String(Buffer.concat(parts)).trimStart() === expected);
  assert.deepEqual(counts, [9_517]);
});

test('nothing is thrown while the disk is full', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { fd } = openFile(t, '/dev/full');
  const buffer = openLogBuffer({ ...options, to: fd });
  buffer.write('long enough to be written at once\n');
  t.mock.timers.tick(100);
  assert.equal(buffer.flush(), 'ENOSPC');
});
