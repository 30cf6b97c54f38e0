import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCoarseDate, toCoarsePeriod, toDateRange } from 'resume-import/source/dates';
import { toLeaf, toValue } from 'resume-import/source/value';

const given = (text: string) => toValue(toLeaf('here', text));

test('dates are read in all common spellings, as exactly as they are given', () => {
  // biome-ignore format: a table
  const spellings = {
    '2021': '2021', '2021-3': '2021-03', '2021/03/09': '2021-03-09', '2021-03-09T10:00:00Z': '2021-03-09',
    '2021-03-31T22:00:00.000Z': '2021-04-01', '2020-12-31T18:30:00Z': '2021-01-01', '2021-03-31T12:00:00Z': '2021-03-31',
    '2021-03-31T17:14:20.000Z': '2021-03-31', '03/2021': '2021-03', 'Mar 2021': '2021-03', 'sept. 2021': '2021-09',
    'March 9, 2021': '2021-03-09', '9 March 2021': '2021-03-09', 'Summer 2021': '2021', 'März 2021': '2021-03',
    'Dezember 2021': '2021-12', '9. Mai 2021': '2021-05-09', '2021-02-30': '2021-02', '2021-13': '2021',
    '03/09/2021': '2021', soon: undefined, '0000-00-00': undefined, '1234567': undefined,
  };
  const read = Object.keys(spellings).map((text) => [text, toCoarseDate(given(text))?.text]);
  assert.deepEqual(Object.fromEntries(read), spellings);
});

test('a period keeps its dates as exact as they are given', () => {
  const { start, end } = toCoarsePeriod(given('Mar 2021'), given('2022'));
  assert.deepEqual([start?.text, start?.parts[0]?.changes], ['2021-03', ['written as 2021-03']]);
  assert.deepEqual([end?.text, end?.parts[0]?.changes], ['2022', []]);
});

test('an end before the start is swapped with it', () => {
  const { start, end } = toCoarsePeriod(given('2018-01-01'), given('2016-01-01'));
  assert.deepEqual([start?.text, end?.text], ['2016-01-01', '2018-01-01']);
  const months = toCoarsePeriod(given('2018-05'), given('2016-02'));
  assert.deepEqual([months.start?.text, months.end?.text], ['2016-02', '2018-05']);
});

test('a period without an end, or until present, is ongoing; one with an unreadable end is not', () => {
  const goesOn = (end?: string) => toCoarsePeriod(given('2018'), end === undefined ? end : given(end)).isOngoing;
  assert.deepEqual(['Present', 'current', ' now', 'heute', undefined].map(goesOn), [true, true, true, true, true]);
  assert.deepEqual(['2019', 'unclear'].map(goesOn), [false, false]);
});

test('a text that is too long for a period is read as one date', () => {
  const text = `2019 – 2021, ${'with breaks, '.repeat(10)}`;
  const { start, end } = toDateRange(given(text));
  assert.deepEqual([start?.text, end?.text], [text, text]);
});
