import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port of a loopback address on which nothing listens. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  server.close();
  await once(server, 'close');
  return address.port;
}
