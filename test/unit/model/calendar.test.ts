import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarOf } from '../../../src/model/calendar.ts';

const startsIn = (zone: string, instant: string, days?: number) =>
  calendarOf(zone).startOfDay(new Date(instant), days).toISOString();

test('a day begins at midnight of its zone, in winter, in summer and across a change of the clocks', () => {
  assert.equal(startsIn('UTC', '2026-11-22T23:59:59Z'), '2026-11-22T00:00:00.000Z');
  assert.equal(startsIn('Europe/Berlin', '2026-11-22T23:30:00Z'), '2026-11-22T23:00:00.000Z');
  assert.equal(startsIn('Europe/Berlin', '2026-07-01T21:59:00Z'), '2026-06-30T22:00:00.000Z');
  assert.equal(startsIn('Europe/Berlin', '2026-10-27T12:00:00Z', -6), '2026-10-20T22:00:00.000Z');
  assert.equal(startsIn('America/New_York', '2026-11-22T03:00:00Z'), '2026-11-21T05:00:00.000Z');
  assert.equal(startsIn('Asia/Kathmandu', '2026-11-22T18:14:59Z'), '2026-11-21T18:15:00.000Z');
  assert.equal(startsIn('Pacific/Kiritimati', '2026-11-22T09:00:00Z'), '2026-11-21T10:00:00.000Z');
  assert.equal(startsIn('Pacific/Pago_Pago', '2026-11-22T09:00:00Z'), '2026-11-21T11:00:00.000Z');
});

test('a day without midnight begins with its first instant, one with two midnights begins once', () => {
  // In Beirut the clocks went from 00:00 to 01:00; in Havana from 01:00 back to 00:00.
  assert.equal(startsIn('Asia/Beirut', '2022-03-27T12:00:00Z'), '2022-03-26T22:00:00.000Z');
  assert.equal(startsIn('America/Havana', '2022-11-06T12:00:00Z'), '2022-11-06T04:00:00.000Z');
  // In Asunción from 00:00 back to 23:00 of the day before.
  assert.equal(startsIn('America/Asuncion', '2022-03-27T12:00:00Z'), '2022-03-27T04:00:00.000Z');
  assert.equal(startsIn('America/Asuncion', '2022-03-27T03:30:00Z'), '2022-03-26T03:00:00.000Z');
});

test('days between instants are midnights of the zone', () => {
  const { daysBetween } = calendarOf('Europe/Berlin');
  assert.equal(daysBetween(new Date('2026-11-21T22:59:00Z'), new Date('2026-11-21T23:00:00Z')), 1);
  assert.equal(daysBetween(new Date('2026-10-24T22:00:00Z'), new Date('2026-10-26T22:59:00Z')), 1);
  assert.equal(daysBetween(new Date('2026-11-22T12:00:00Z'), new Date('2026-11-20T12:00:00Z')), -2);
});

test('a zone that does not exist is refused', () => {
  assert.throws(() => calendarOf('Nowhere/City'), RangeError);
});
