import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCanonicalAddress, toEmailAddress } from 'resume-profile/email-address';

for (const [name, canonical, ...spellings] of [
  ['case', 'ada@example.org', 'Ada@Example.ORG', 'ADA@EXAMPLE.ORG', 'ada@example.org'],
  ['case beyond ASCII', 'zoë@example.org', 'ZOË@example.org'],
  ['punycode', 'a@xn--bcher-kva.de', 'a@bücher.de', 'a@BÜCHER.de', 'a@XN--bcher-KVA.de'],
  ['decomposed characters', 'zoë@xn--bcher-kva.de', 'zoe\u0308@bu\u0308cher.de', 'ZOE\u0308@xn--bcher-kva.de'],
  ['full stops of other scripts', 'a@xn--fsqu00a.xn--0zwm56d', 'a@例子。测试', 'a@例子.测试'],
] as const)
  test(`an address has one canonical spelling: ${name}`, () => {
    for (const spelling of spellings) assert.equal(toCanonicalAddress(spelling), canonical);
    assert.equal(toCanonicalAddress(canonical), canonical);
  });

test('other addresses have other canonical spellings', () => {
  for (const other of ['a.da@example.org', 'ada+1@example.org', 'ada@mail.example.org', 'äda@example.org'])
    assert.equal(toCanonicalAddress(other), other);
  // German ß is a letter of its own in domains (RFC 5891).
  assert.equal(toCanonicalAddress('a@straße.de'), 'a@xn--strae-oqa.de');
});

test('a domain that no resolver looks up is converted to lower case', () => {
  assert.equal(toCanonicalAddress('A@Example.Xn--A'), 'a@example.xn--a');
});

test('a local part in quotation marks has none of the characters that mail programs read as the end of it', () => {
  for (const address of ['"<a@evil.co>"@victim.co', '"a<b"@victim.co', '"a>b"@victim.co', String.raw`"a\b"@victim.co`])
    assert.equal(toEmailAddress(address), null, address);
  assert.equal(toEmailAddress('"a@evil.co"@victim.co'), '"a@evil.co"@victim.co');
});
