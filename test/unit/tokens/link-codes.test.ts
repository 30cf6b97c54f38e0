import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newLinkId, readLinkCode, toLinkCode } from '../../../src/adapters/tokens/signatures.ts';

const secret = Buffer.alloc(32, 1);
const id = '666f6f626172';
// Made with openssl: printf 'link 666f6f626172' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101…
const code = 'Zm9vYmFylyRpUIaVfVws2g';

test('a code is the id of its link and 80 bits of an HMAC of it, in 22 characters', () => {
  assert.equal(toLinkCode(id, secret), code);
  assert.equal(readLinkCode(code, secret), id);
});

test('ids have 48 bits, and each code opens the link that it was made for', () => {
  const ids = new Set(Array.from({ length: 200 }, newLinkId));
  assert.equal(ids.size, 200);
  for (const one of ids) {
    assert.match(one, /^[0-9a-f]{12}$/);
    assert.equal(readLinkCode(toLinkCode(one, secret), secret), one);
  }
});

test('a code with one or two bits flipped opens nothing, and neither do 100,000 random codes', () => {
  const bytes = Buffer.from(code, 'base64url');
  const flipped = (...bits: number[]) => {
    const changed = Buffer.from(bytes);
    for (const bit of bits) changed[bit >> 3]! ^= 1 << (bit & 7);
    return changed.toString('base64url');
  };
  for (let one = 0; one < 128; one += 1) {
    assert.equal(readLinkCode(flipped(one), secret), null);
    for (let other = 0; other < one; other += 1) assert.equal(readLinkCode(flipped(one, other), secret), null);
  }
  for (let n = 0; n < 50_000; n += 1) {
    assert.equal(readLinkCode(randomBytes(16).toString('base64url'), secret), null);
    const withId = Buffer.concat([bytes.subarray(0, 6), randomBytes(10)]);
    assert.equal(readLinkCode(withId.toString('base64url'), secret), null);
  }
});

test('a code that is spelled in another way opens nothing', () => {
  const spelled = [`${code}=`, `${code}==`, `${code} `, ` ${code}`, `${code}\n`, `${code}A`, code.slice(0, -1), ''];
  const bytes = Buffer.from(code, 'base64url');
  for (const one of [...spelled, bytes.toString('base64'), bytes.toString('hex'), encodeURIComponent(`${code}=`)])
    assert.equal(readLinkCode(one, secret), null, one);
});

test('a code that was made with another key, and any code without a key, opens nothing', () => {
  assert.equal(readLinkCode(code, Buffer.alloc(32, 2)), null);
  assert.equal(readLinkCode(code, null), null);
});
