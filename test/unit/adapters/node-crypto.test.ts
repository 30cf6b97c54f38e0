import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seal, unseal } from '../../../src/adapters/node-crypto.ts';

test('what is sealed is read with its secret alone, and not if it was altered', () => {
  const sealed = seal('Größe', 'secret');
  assert.notEqual(sealed, seal('Größe', 'secret'));
  assert.equal(unseal(sealed, 'secret'), 'Größe');
  assert.equal(unseal(sealed, 'another'), null);
  const other = sealed.startsWith('A') ? 'B' : 'A';
  for (const altered of [other + sealed.slice(1), sealed.slice(0, -4), sealed.slice(0, 10), ''])
    assert.equal(unseal(altered, 'secret'), null, altered);
});
