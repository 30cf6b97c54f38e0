import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpUrl } from 'resume-profile/profile';

const faultsOf = (link: string) => HttpUrl.safeParse(link).error?.issues.map(({ message }) => message) ?? [];

test('a link is accepted only if strict MCP clients accept it', () => {
  for (const link of [
    'https://example.org',
    'http://xn--bcher-kva.example:8080/%C3%BC?a=b&c%5B%5D=d',
    "HTTPS://a_b.example/~x/(y),'z';v=1!*$+@#part",
  ])
    assert.deepEqual(faultsOf(link), [], link);

  for (const link of [
    'https://bücher.example',
    'https://example.org/ü',
    'https://example.org/a b',
    'https://example.org/a|b',
    'https://example.org/[x]',
    'https://example.org/{x}',
    'https://example.org/100%',
    'https://example.org/#a#b',
  ])
    assert.deepEqual(faultsOf(link), ['must be in ASCII, all else percent-encoded'], link);

  for (const link of ['ftp://example.org', 'example.org', '//example.org', 'javascript:alert(1)', ''])
    assert.ok(faultsOf(link).includes('must be an http or https URL'), link);
});
