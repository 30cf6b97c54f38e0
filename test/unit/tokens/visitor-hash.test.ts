import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visitorHashOf } from '../../../src/adapters/tokens/keys.ts';

const hashedUnder = (secrets: readonly Buffer[]) =>
  visitorHashOf({ secretsFor: (purpose) => (purpose === 'visitors' ? secrets : []) });

test('a visitor is hashed with the secret of the oldest key, so that all processes agree during a rotation', () => {
  const [newest, oldest] = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)];
  assert.equal(hashedUnder([newest, oldest])('ada@example.org'), 'mR2vnnbURiwk5h288QfISz4Wstb0fy0y-KMo9t3vNjA');
  assert.equal(hashedUnder([newest])('ada@example.org'), 'B8cRGT0oLiJ2uXgnhuop9LmsAAAELFVO75cYsk6a_vM');
});
