import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newLinkId, readLinkCode, toLinkCode } from '../../../src/adapters/tokens/link-codes.ts';

const secret = Buffer.alloc(32, 1);
const id = '666f6f626172';
// Made with openssl: printf 'link 666f6f626172' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101…
const code = 'Zm9vYmFylyRpUIaVfVws2g';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

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

test('a code with any other character in any place opens nothing', () => {
  for (const [index, own] of [...code].entries())
    for (const other of alphabet)
      if (other !== own) assert.equal(readLinkCode(code.slice(0, index) + other + code.slice(index + 1), secret), null);
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
