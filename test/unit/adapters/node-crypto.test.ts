import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash, newId } from '../../../src/adapters/node-crypto.ts';

test('a content is hashed as everybody can hash it', () => {
  assert.equal(hash('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  assert.equal(hash(new Uint8Array([97, 98, 99])), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('an id has 128 bits, and comes once', () => {
  const [one, other] = [newId(), newId()];
  for (const id of [one, other]) assert.match(id, /^[0-9a-f]{32}$/);
  assert.notEqual(one, other);
});
