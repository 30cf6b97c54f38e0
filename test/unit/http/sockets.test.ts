import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { BlockList } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { capSockets } from '../../../src/adapters/http/server.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8);
proxies.addSubnet('2001:db8:ffff::', 48, 'ipv6');

/** A server whose connections have the given peer addresses; `refused` lists the addresses of those it closed. */
function openCapped(socketsPerAddress: number) {
  const server = new EventEmitter();
  const refused: string[] = [];
  const onRefused = (address: string) => void refused.push(address);
  capSockets(server as Server, { trustProxy: proxies, socketsPerAddress, onRefused });
  const connect = (remoteAddress?: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  return { connect, refused };
}

/** Ends a connection. */
const end = (socket: PassThrough) =>
  new Promise((resolve) => {
    socket.once('close', resolve);
    socket.destroy();
  });

test('a client is one IPv4 address or one IPv6 /64; trusted proxies are not capped', () => {
  const { connect, refused } = openCapped(1);
  for (const address of [
    ...['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.2'],
    ...['2001:db8::1', '2001:db8:0:0:1::', '2001:db8::1:0:0:0:1', '2001:db8:0:1::1', '::1', '::2', 'fe80::1%eth0'],
    ...['10.1.2.3', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8:ffff::1', '2001:db8:ffff::1'],
  ])
    connect(address);
  assert.deepEqual(refused, ['192.0.2.1', '192.0.2.1', '2001:db8:0:0:1::', '2001:db8:0:1::1', '::2']);
});

test('a connection that ends makes room for exactly one', async () => {
  const { connect, refused } = openCapped(2);
  const first = connect('192.0.2.1');
  connect('192.0.2.1');
  await end(first);
  connect('192.0.2.1');
  assert.deepEqual(refused, []);
  const fourth = connect('192.0.2.1');
  assert.deepEqual([fourth.destroyed, refused], [true, ['192.0.2.1']]);
  await new Promise((resolve) => fourth.once('close', resolve));
  connect('192.0.2.1');
  assert.deepEqual(refused, ['192.0.2.1', '192.0.2.1']);
});

test('connections that end before their address is read are capped as one client', () => {
  const { connect, refused } = openCapped(1);
  connect();
  connect();
  assert.deepEqual(refused, ['']);
});

test('a connection above the cap is closed also without onRefused', () => {
  const server = new EventEmitter();
  capSockets(server as Server, { trustProxy: proxies, socketsPerAddress: 0 });
  const socket = Object.assign(new PassThrough(), { remoteAddress: '192.0.2.1' });
  server.emit('connection', socket);
  assert.equal(socket.destroyed, true);
});
