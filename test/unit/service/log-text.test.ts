import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLogText } from '../../../src/service/log.ts';

const line = { level: 'info', time: '2026-11-22T02:01:03.123Z' };
const textOf = (fields: object) => toLogText(JSON.stringify({ ...line, ...fields }));

test('a log line as text has time, level, message and fields', () => {
  assert.equal(
    textOf({ operation: 'get_candidate', milliseconds: 1.5, characters: ['U+4E00'], fault: 'two words', msg: 'call' }),
    '2026-11-22T02:01:03.123Z INFO  call operation=get_candidate milliseconds=1.5 characters=["U+4E00"] fault="two words"\n',
  );
});

test('the stack of an error stands below its line, its further fields among the others', () => {
  assert.equal(
    textOf({
      level: 'error',
      err: { type: 'Error', message: 'no room', stack: 'Error: no room\n    at write', code: 'ENOSPC' },
      msg: 'the store failed',
    }),
    ['2026-11-22T02:01:03.123Z ERROR the store failed code=ENOSPC', '    Error: no room', '        at write', ''].join(
      '\n',
    ),
  );
});

test('nothing that a stranger sent controls the terminal or makes a line of its own', () => {
  const sent = 'a\x1b[2J\nb\x9b31m\u202ec\x7f';
  assert.equal(
    textOf({ path: sent, msg: 'call' }),
    String.raw`2026-11-22T02:01:03.123Z INFO  call path="a\u001b[2J\nb\u{9b}31m\u{202e}c\u{7f}"${'\n'}`,
  );
  assert.equal(
    textOf({ err: { message: sent }, msg: sent }),
    String.raw`2026-11-22T02:01:03.123Z INFO  a\u{1b}[2J
    b\u{9b}31m\u{202e}c\u{7f}
    a\u{1b}[2J
    b\u{9b}31m\u{202e}c\u{7f}${'\n'}`,
  );
});
