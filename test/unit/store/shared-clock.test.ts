import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedClock } from '../../../src/adapters/shared-clock.ts';
import { noon } from '../../support/store.ts';

/** Opens the clock of a machine that is ahead of the shared one, which stands at noon, by some seconds. */
async function openAhead(seconds: number) {
  const machine = { ahead: seconds };
  const warnings: string[] = [];
  const clock = await openSharedClock({
    readClock: async () => noon,
    warn: (message) => warnings.push(message),
    machine: () => noon.getTime() + machine.ahead * 1_000,
  });
  return { ...clock, machine, warnings };
}

const isNear = (one: Date, other: Date) => Math.abs(one.getTime() - other.getTime()) < 10_000;

test('a clock that is off is corrected, with a warning that says by how much', async () => {
  const ahead = await openAhead(120);
  assert.ok(isNear(ahead.now(), noon), ahead.now().toISOString());
  assert.deepEqual(ahead.warnings, [
    "this machine's clock is 120 s ahead of the database server's, which counts: set it by NTP",
  ]);
  const behind = await openAhead(-7_200);
  assert.ok(isNear(behind.now(), noon), behind.now().toISOString());
  assert.deepEqual(behind.warnings, [
    "this machine's clock is 7200 s behind the database server's, which counts: set it by NTP",
  ]);
});

test('a clock that is off by less than a second is left alone, so that the time does not jump', async () => {
  const { now, warnings } = await openAhead(0.9);
  assert.equal(now().toISOString(), '2026-11-21T12:00:00.900Z');
  assert.deepEqual(warnings, []);
});

test('a clock that is set while the service runs is corrected at the next refresh, one that is set right counts again', async () => {
  const { now, refresh, machine, warnings } = await openAhead(0);
  machine.ahead = 60;
  await refresh();
  assert.ok(isNear(now(), noon), now().toISOString());
  await refresh();
  assert.equal(warnings.length, 1);
  machine.ahead = 0;
  await refresh();
  assert.equal(now().getTime(), noon.getTime());
  assert.equal(warnings.length, 1);
});
