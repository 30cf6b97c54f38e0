import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { BlockList } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { capSockets } from '../../../src/adapters/http/sockets.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8);
proxies.addSubnet('2001:db8:ffff::', 48, 'ipv6');

/** A server whose connections come from where the test says; how many it keeps is told by the addresses it refuses. */
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

/** Ends a connection, as either side may. */
const end = (socket: PassThrough) =>
  new Promise((resolve) => {
    socket.once('close', resolve);
    socket.destroy();
  });

test('a client is one address, or one /64 of IPv6; a trusted proxy is many', () => {
  const { connect, refused } = openCapped(1);
  for (const address of [
    ...['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.2'],
    ...['2001:db8::1', '2001:db8:0:0:1::', '2001:db8::1:0:0:0:1', '2001:db8:0:1::1', '::1', '::2', 'fe80::1%eth0'],
    ...['10.1.2.3', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8:ffff::1', '2001:db8:ffff::1'],
  ])
    connect(address);
  assert.deepEqual(refused, ['192.0.2.1', '192.0.2.1', '2001:db8:0:0:1::', '2001:db8:0:1::1', '::2']);
});

test('a connection that ends makes room for one more, and for no other', async () => {
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

test('connections that are gone before they are looked at have no address, and are capped as those of one client', () => {
  const { connect, refused } = openCapped(1);
  connect();
  connect();
  assert.deepEqual(refused, ['']);
});

test('a connection too many is closed, too, if nobody asks to be told of it', () => {
  const server = new EventEmitter();
  capSockets(server as Server, { trustProxy: proxies, socketsPerAddress: 0 });
  const socket = Object.assign(new PassThrough(), { remoteAddress: '192.0.2.1' });
  server.emit('connection', socket);
  assert.equal(socket.destroyed, true);
});
