import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Columns, toFittedTable, toTable } from '../../../src/commands/table.ts';
import { idByStart } from '../../../src/commands/terminal.ts';

process.env.TZ = 'UTC';
const now = new Date('2026-11-22T12:00:00.000Z');

const fitted = (columns: Columns, rows: readonly (readonly string[])[], width: number, ids?: readonly string[]) =>
  toFittedTable(columns, rows, { width, now, ids }).split('\n');

const named: Columns = { key: 'whole', name: 'text', message: 'text' };
const key = '0123456789abcdef';
const rows = [
  [key, '株式会社', 'A message that is longer than a line'],
  [key, 'Zoë', 'Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻'],
];

test('a script reads whole cells, padded by their length in UTF-16 units', () => {
  assert.deepEqual(toTable(named, rows).split('\n'), [
    'key               name  message',
    `${key}  株式会社  A message that is longer than a line`,
    `${key}  Zoë   Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻`,
  ]);
});

test('on a terminal columns line up by the width that is shown, emoji and wide characters included', () => {
  assert.deepEqual(fitted(named, rows, 120), [
    'key               name      message',
    `${key}  株式会社  A message that is longer than a line`,
    `${key}  Zoë       Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻`,
  ]);
});

test('the widest text is cut first, between whole characters', () => {
  assert.deepEqual(fitted(named, rows, 42), [
    'key               name      message',
    `${key}  株式会社  A message tha…`,
    `${key}  Zoë       Hello 👩‍💻👩‍💻👩‍💻…`,
  ]);
});

test('what a person needs whole is cut only if nothing else can be', () => {
  const columns: Columns = { a: 'whole', b: 'text' };
  const row = ['0123456789', 'abcdefghij'];
  assert.equal(fitted(columns, [row], 14)[1], '0123456789  a…');
  assert.equal(fitted(columns, [row], 12)[1], '01234567…  …');
});

test('no line is wider than the terminal, as long as each column has room for one character', () => {
  assert.deepEqual(fitted(named, rows, 7), ['…  …  …', '…  …  …', '…  …  …']);
  assert.deepEqual(fitted({ a: 'text', b: 'text' }, [['a\tb', 'c']], 80), ['a    b', 'a b  c']);
});

test('a time is told as a person reads it, with its year if that is another', () => {
  const times = [['2026-11-02T14:10:05.123Z'], ['2025-12-31T23:59:59.999Z'], ['']];
  assert.deepEqual(fitted({ at: 'time' }, times, 80), ['at', '2 Nov 14:10', '31 Dec 2025', '']);
});

test('an id is shown as the shortest start that no other has, of four digits at least', () => {
  const ids = [['contact_00000001'], ['contact_12345678'], ['contact_12345699']];
  assert.deepEqual(fitted({ id: 'id' }, ids, 80), ['id', 'contact_0000', 'contact_1234567', 'contact_1234569']);
  assert.deepEqual(fitted({ id: 'id' }, [['abcdef01']], 80), ['id', 'abcd']);
  const all = ['abcdef01', 'abcdef23'];
  assert.deepEqual(fitted({ id: 'id' }, [['abcdef01']], 80, all), ['id', 'abcdef0'], 'others are not listed');
});

test('an id is found by its start, and a start of several is refused with those', () => {
  const ids = ['abc1', 'abc2', 'b'];
  assert.equal(idByStart('abc1', ids, 'token'), 'abc1');
  assert.equal(idByStart('b', [...ids, 'bc'], 'token'), 'b');
  assert.equal(idByStart('bc', ids, 'token'), null);
  assert.throws(() => idByStart('a', ids, 'token'), {
    message: 'Several tokens have an id that begins with a. Give more of one of them:\n  abc1\n  abc2',
  });
  const many = Array.from({ length: 12 }, (_, index) => `x${10 + index}`);
  assert.throws(() => idByStart('x', many, 'grant'), /\n {2}x19\n {2}and 2 more$/);
});
