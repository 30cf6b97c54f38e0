import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port of a loopback address on which nothing listens. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    // Below the ports that systems choose for connections: one of these could take it before the program listens.
    const port = randomInt(10_000, 32_768);
    const server = createServer().listen(port, host);
    if (await once(server, 'listening').catch(() => false)) {
      server.close();
      await once(server, 'close');
      return port;
    }
  }
}
