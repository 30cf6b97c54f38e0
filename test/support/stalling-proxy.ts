import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from './files.ts';

/** A TCP proxy whose network can be taken away and given back. */
export type StallingProxy = Awaited<ReturnType<typeof openProxy>>;

/** Opens a proxy on a free port of loopback to a port of loopback. */
export async function openProxy(t: Cleanup, port: number) {
  let state: 'forwarding' | 'stalled' | 'cut' = 'forwarding';
  const pairs = new Set<readonly [Socket, Socket]>();

  function reset(): void {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  const server = createServer((client) => {
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const target = connect(port, '127.0.0.1');
    const pair = [client, target] as const;
    pairs.add(pair);
    for (const [socket, other] of [pair, [target, client] as const]) {
      socket.setNoDelay(true);
      socket.on('data', (bytes) => void other.write(bytes));
      socket.on('end', () => void other.end());
      socket.on('error', () => {}); // followed by `close`
      socket.on('close', () => {
        // Otherwise the other side hears of it when the proxy forwards again.
        if (state !== 'stalled') other.destroy();
        if (other.destroyed) pairs.delete(pair);
      });
      if (state === 'stalled') socket.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');

  t.after(() => {
    reset();
    server.close();
  });

  return {
    port: address.port,
    /** Forwards nothing more, of new connections either, and closes nothing: as a network that loses each packet. */
    stall(): void {
      state = 'stalled';
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    /** Resets all connections, and each new one: as a machine that is up without its server. */
    cut(): void {
      state = 'cut';
      reset();
    },
    /** Forwards again, first what was held back. */
    resume(): void {
      state = 'forwarding';
      for (const pair of pairs)
        for (const socket of pair) {
          if (pair.some(({ destroyed }) => destroyed)) socket.destroy();
          else socket.resume();
        }
    },
  };
}
