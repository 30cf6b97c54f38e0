import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash, hmac, newId, seal, unseal } from '../../../src/adapters/node-crypto.ts';

test('a hash is the SHA-256 in base64url', () => {
  assert.equal(hash('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  assert.equal(hash(new Uint8Array([97, 98, 99])), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

// RFC 4231, section 4.3.
test('a keyed hash is the HMAC-SHA256 in base64url', () => {
  assert.equal(
    hmac(Buffer.from('Jefe'), 'what do ya want for nothing?'),
    'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM',
  );
});

test('an id has 128 bits and is unique', () => {
  const [one, other] = [newId(), newId()];
  for (const id of [one, other]) assert.match(id, /^[0-9a-f]{32}$/);
  assert.notEqual(one, other);
});

test('what is sealed is read with its secret alone, and not if it was altered', () => {
  const sealed = seal('Größe', 'secret');
  assert.notEqual(sealed, seal('Größe', 'secret'));
  assert.equal(unseal(sealed, 'secret'), 'Größe');
  assert.equal(unseal(sealed, 'another'), null);
  const other = sealed.startsWith('A') ? 'B' : 'A';
  for (const altered of [other + sealed.slice(1), sealed.slice(0, -4), sealed.slice(0, 10), ''])
    assert.equal(unseal(altered, 'secret'), null, altered);
});
