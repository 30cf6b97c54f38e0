import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { openEditions } from '../../../src/service/editions.ts';

test('after a reload the whole profile is compared at once, and each view in a turn of its own', async () => {
  const { profile, views } = readProfile(samplePath);
  const systems = { ...views, names: new Set(['systems']), resolve: () => profile! };
  let current = profile!;
  const { ofView, compare } = openEditions({
    profile: { current: () => current, views: () => systems },
    viewOf: () => null,
    linkTo: () => ({ url: null, until: Number.POSITIVE_INFINITY }),
    now: () => new Date('2026-11-28T12:00:00Z'),
  });
  const before = [null, 'systems'].map(ofView);
  const compared: unknown[] = [];
  current = { ...current };
  const comparing = compare((view, edition) => {
    compared.push(edition);
    ofView(view);
  });
  assert.deepEqual([compared.length, compared[0] === before[0]], [1, true]);
  await comparing;
  assert.deepEqual([compared.length, compared[1] === before[1]], [2, true]);
});
