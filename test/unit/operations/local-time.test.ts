import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLocalTime } from '../../../src/operations/local-time.ts';

test('a local time names its zone, in summer and in winter', () => {
  const berlin = 'Europe/Berlin';
  assert.equal(toLocalTime(new Date('2026-11-21T23:30:00Z'), berlin), 'Sunday, 22 November 2026 at 00:30 CET');
  assert.equal(toLocalTime(new Date('2026-07-01T12:00:59Z'), berlin), 'Wednesday, 1 July 2026 at 14:00 CEST');
});
