import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFittedTable, toTable } from '../../../src/commands/terminal/table.ts';

const id = '0123456789abcdef';
const rows = [
  ['id', 'name', 'message'],
  [id, '株式会社', 'A message that is longer than a line'],
  [id, 'Zoë', 'Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻'],
];

test('a script reads whole cells, padded by their length in UTF-16 units', () => {
  assert.equal(
    toTable(rows),
    [
      'id                name  message',
      `${id}  株式会社  A message that is longer than a line`,
      `${id}  Zoë   Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻`,
    ].join('\n'),
  );
});

test('on a terminal columns line up by the width that is shown, emoji and wide characters included', () => {
  assert.equal(
    toFittedTable(rows, 120),
    [
      'id                name      message',
      `${id}  株式会社  A message that is longer than a line`,
      `${id}  Zoë       Hello 👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻👩‍💻`,
    ].join('\n'),
  );
});

test('the widest column is cut first, between whole characters', () => {
  assert.equal(
    toFittedTable(rows, 42),
    [
      'id                name      message',
      `${id}  株式会社  A message tha…`,
      `${id}  Zoë       Hello 👩‍💻👩‍💻👩‍💻…`,
    ].join('\n'),
  );
});

test('the id in the first column is cut only if nothing else can be', () => {
  assert.equal(
    toFittedTable(rows, 30),
    ['id          name      message', '012345678…  株式会社  A messa…', '012345678…  Zoë       Hello…'].join('\n'),
  );
});

test('no line is wider than the terminal, as long as each column has room for one character', () => {
  assert.equal(toFittedTable(rows, 7), ['…  …  …', '…  …  …', '…  …  …'].join('\n'));
  assert.equal(toFittedTable([['a\tb', 'c']], 80), 'a b  c');
});
