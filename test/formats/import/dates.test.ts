import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCoarseDate, toCompletedPeriod } from '../../../src/formats/import/build/dates.ts';
import { toDateRange } from '../../../src/formats/import/readers/date-range.ts';
import { toLeaf, toValue } from '../../../src/formats/import/source/value.ts';

const given = (text: string) => toValue(toLeaf('here', text));

test('dates are read in all common spellings, as exactly as they are given', () => {
  const spellings = {
    '2021': '2021',
    '2021-3': '2021-03',
    '2021/03/09': '2021-03-09',
    '2021-03-09T10:00:00Z': '2021-03-09',
    '03/2021': '2021-03',
    'Mar 2021': '2021-03',
    'sept. 2021': '2021-09',
    'March 9, 2021': '2021-03-09',
    '9 March 2021': '2021-03-09',
    'Summer 2021': '2021',
    '2021-02-30': '2021-02',
    '2021-13': '2021',
    '03/09/2021': '2021',
    soon: undefined,
    '0000-00-00': undefined,
    '1234567': undefined,
  };
  const read = Object.keys(spellings).map((text) => [text, toCoarseDate(given(text))?.text]);
  assert.deepEqual(Object.fromEntries(read), spellings);
});

test('start and end dates are completed to the first of the month or year, and the change is recorded', () => {
  const { start, end } = toCompletedPeriod(given('2021-03'), given('2022'));
  assert.deepEqual([start?.text, start?.parts[0]?.changes], ['2021-03-01', ['completed to 2021-03-01']]);
  assert.deepEqual([end?.text, end?.parts[0]?.changes], ['2022-01-01', ['completed to 2022-01-01']]);
});

test('an end that only its completion puts before the start becomes the start', () => {
  const { start, end } = toCompletedPeriod(given('2016-05'), given('2016'));
  assert.deepEqual([start?.text, end?.text], ['2016-05-01', '2016-05-01']);
});

test('an end before the start is swapped with it', () => {
  const { start, end } = toCompletedPeriod(given('2018-01-01'), given('2016-01-01'));
  assert.deepEqual([start?.text, end?.text], ['2016-01-01', '2018-01-01']);
});

test('a period without an end, or until present, is ongoing; one with an unreadable end is not', () => {
  const goesOn = (end?: string) => toCompletedPeriod(given('2018'), end === undefined ? end : given(end)).isOngoing;
  assert.deepEqual([undefined, 'Present', 'current', '2019', 'unclear'].map(goesOn), [true, true, true, false, false]);
});

test('a text with two dates is split, a single date is start and end', () => {
  const divided = ['Mar 2021 - Present', '2019–2021', '2019-2021', '2019-03 to 2020-04', '2021-03'].map((text) => {
    const { start, end } = toDateRange(given(text));
    return [start?.text, end?.text];
  });
  assert.deepEqual(divided, [
    ['Mar 2021', 'Present'],
    ['2019', '2021'],
    ['2019', '2021'],
    ['2019-03', '2020-04'],
    ['2021-03', '2021-03'],
  ]);
});
