import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { clientAddressOf } from '../../../src/adapters/http/server.ts';
import { blockOf, siteOf } from '../../../src/model/network-block.ts';

/** The client address that a trusted proxy forwards; the proxy's own if the header is not an address. */
function clientBehindProxy(forwardedFor: string): string {
  const trustProxy = new BlockList();
  trustProxy.addAddress('10.0.0.1');
  const request = { socket: { remoteAddress: '::ffff:10.0.0.1' }, headers: { 'x-forwarded-for': forwardedFor } };
  return clientAddressOf(request as unknown as IncomingMessage, trustProxy);
}

for (const [written, address] of [
  ['192.0.2.9:4711', '192.0.2.9'],
  ['"192.0.2.9"', '192.0.2.9'],
  ['"192.0.2.9:4711"', '192.0.2.9'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
  ['"[2001:db8::7]:4711"', '2001:db8::7'],
  ['[fe80::7%eth0]:4711', 'fe80::7'],
  ['198.51.100.1:80, 192.0.2.9:4711', '192.0.2.9'],
] as const)
  test(`a proxy that forwards for ${written} has a client at ${address} [TRUST-11]`, () => {
    assert.equal(clientBehindProxy(written), address);
  });

for (const written of [
  ...['192.0.2', '192.0.2.256', '192.0.2.09', '0xc0000209', '192.0.2.9:', '192.0.2.9:port', '192.0.2.9.'],
  ...['[192.0.2.9]', '[2001:db8::7', '2001:db8::7]', '[2001:db8::7]4711', '2001:db8::7::', '[]', '""', '"192.0.2.9'],
  ...['unknown', '_hidden', 'localhost', 'for=192.0.2.9', '192.0.2.9@198.51.100.1', '192.0.2.9/x', ''],
])
  test(`a proxy that forwards for ${written || 'nothing'} is the client itself`, () => {
    assert.equal(clientBehindProxy(written), '10.0.0.1');
  });

test('all spellings of an address are the same block [TRUST-11]', () => {
  const spellings = {
    '192.0.2.9': ['192.0.2.9', '::ffff:192.0.2.9', '::FFFF:192.0.2.9', '::ffff:c000:209', '0:0:0:0:0:ffff:c000:0209'],
    '2001:db8:0:1::/64': ['2001:db8:0:1::9', '2001:0DB8:0000:0001:0000:0000:0000:0009', '2001:db8:0:1::192.0.2.9'],
    'fe80:0:0:0::/64': ['fe80::9', 'FE80::9%eth0', 'fe80::9%12'],
  };
  for (const [block, addresses] of Object.entries(spellings))
    for (const address of addresses) assert.equal(blockOf(address), block, address);
});

test('the next address, or the next /64 of IPv6, is another block', () => {
  for (const address of ['192.0.2.10', '::192.0.2.9', '::ffff:0:c000:209'])
    assert.notEqual(blockOf(address), '192.0.2.9', address);
  assert.notEqual(blockOf('2001:db8:0:2::9'), blockOf('2001:db8:0:1::9'));
});

test('a site is an IPv4 address, or the /56 of an IPv6 address [TRUST-64]', () => {
  assert.deepEqual(
    ['2001:db8:0:12ab::9', '2001:db8:0:ff::9', 'fe80::9%eth0', '::ffff:192.0.2.9', '192.0.2.255', ''].map(siteOf),
    ['2001:db8:0:1200::/56', '2001:db8:0:0::/56', 'fe80:0:0:0::/56', '192.0.2.9', '192.0.2.255', ''],
  );
});
