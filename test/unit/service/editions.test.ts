import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edition } from '../../../src/operations/ports.ts';
import { comparisonOf } from '../../../src/service/editions.ts';

test('after a reload the whole profile is compared at once, and each view in a turn of its own', async () => {
  const editionsOf = (version: number, ...views: (string | null)[]) =>
    new Map(views.map((view) => [view, { resumeUrl: `${view} of version ${version}` } as Edition]));
  let made = editionsOf(1, null, 'systems', 'management', 'brief');
  const compared: (string | null)[] = [];
  const compareAll = comparisonOf({ made: () => made }, (_view, before) => compared.push(before?.resumeUrl ?? null));
  const comparedBy = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    return compared.splice(0);
  };

  compareAll();
  assert.deepEqual(compared.splice(0), ['null of version 1']);
  assert.deepEqual(await comparedBy(1), ['systems of version 1']);

  // Another reload: what waits is compared with the version before the first one.
  made = editionsOf(2, null, 'systems', 'brief');
  compareAll();
  assert.deepEqual(compared.splice(0), ['null of version 2']);
  assert.deepEqual(await comparedBy(1), ['management of version 1']);
  assert.deepEqual(await comparedBy(9), ['brief of version 1', 'systems of version 2']);

  made = new Map();
  compareAll();
  assert.deepEqual(await comparedBy(1), [null]);
});
