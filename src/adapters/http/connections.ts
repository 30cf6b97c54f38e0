import type { IncomingMessage, Server } from 'node:http';
import { type BlockList, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { blockOf, toAddress } from '../../model/network-block.ts';

/** How many connections one client may have open: one IPv4 address or IPv6 /64. Trusted proxies are exempt. */
export interface SocketCap {
  readonly trustProxy: BlockList;
  readonly socketsPerAddress: number;
  /** Called with the address of each connection that is closed because of the cap. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** Closes each new connection above the cap at once; the client's other connections stay open. */
export function capSockets(server: Server, { trustProxy, socketsPerAddress, onRefused }: SocketCap): void {
  const open = new Map<string, number>();
  // Before TLS's own listener, so that connections that never finish the handshake count.
  server.prependListener('connection', (socket) => {
    const address = addressOf(socket);
    if (isWithin(trustProxy, address)) return;
    const block = blockOf(address);
    const count = open.get(block) ?? 0;
    if (count >= socketsPerAddress) {
      socket.destroy();
      onRefused?.(address);
      return;
    }
    open.set(block, count + 1);
    socket.once('close', () => {
      const left = open.get(block)! - 1;
      if (left === 0) open.delete(block);
      else open.set(block, left);
    });
  });
}

/**
 * Returns the client's network address: the rightmost hop of `X-Forwarded-For` that is not a trusted proxy. The search ends at
 * an entry that is not an address.
 */
export function clientAddressOf({ socket, headers }: IncomingMessage, trustProxy: BlockList): string {
  let address = addressOf(socket);
  const hops = headers['x-forwarded-for'];
  if (hops === undefined) return address;
  for (const hop of String(hops).split(',').reverse()) {
    const forwarded = toAddress(hop.trim());
    if (forwarded === null || !isWithin(trustProxy, address)) break;
    address = forwarded;
  }
  return address;
}

// Kept, because a connection has many requests.
const addresses = new WeakMap<Socket, string>();

/** Returns the peer's address; empty if the connection ended before it was asked for. */
function addressOf(socket: Socket): string {
  const known = addresses.get(socket);
  if (known !== undefined) return known;
  const address = toAddress(socket.remoteAddress ?? '') ?? '';
  addresses.set(socket, address);
  return address;
}

const isWithin = (networks: BlockList, address: string): boolean =>
  networks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

/** How long keep-alive clients have to send one last request, and the accept queue to empty. */
const drainMs = 500;
const quietMs = 50;

/** Closes an HTTP server so that each client that could connect gets a response (`e2e/http/server`, `trust/http/sigterm`). */
export function drainOf(server: Server) {
  let isDraining = false;
  let heldResponses: (() => void)[] | undefined;
  return {
    /** True once `close` has been called: each response is then the last of its connection. */
    isDraining: () => isDraining,

    /** Responds to a request now or, while the accept queue empties, once the listener is closed. */
    respond(start: () => void): void {
      if (heldResponses) heldResponses.push(start);
      else start();
    },

    /** Stops listening and resolves when every connection has ended, by force after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      isDraining = true;
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      // Keep-alive clients can send one more request, and learn from its response that the connection ends.
      await pause(drainMs);
      // A client that reads `Connection: close` connects again, so the accept queue would never empty: responses are held.
      heldResponses = [];
      await emptyAcceptQueue(server);
      // http.Server.close would close idle connections at once, and reset those on which a request is arriving.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const start of heldResponses) start();
      heldResponses = undefined;
      const idle = setInterval(() => server.closeIdleConnections(), drainMs);
      await closed;
      clearInterval(idle);
      clearTimeout(force);
    },
  };
}

/**
 * Resolves after 50 ms without a new connection, at the latest after 500 ms. The kernel resets connections still in the accept
 * queue when the listener closes.
 */
async function emptyAcceptQueue(server: Server): Promise<void> {
  const deadline = performance.now() + drainMs;
  let latestAt = performance.now();
  server.on('connection', () => {
    latestAt = performance.now();
  });
  while (performance.now() < Math.min(latestAt + quietMs, deadline)) {
    await pause(5);
    // Continues after the poll phase, which accepts connections: after a timer the queue may have filled again.
    await turn();
  }
}
