import type { IncomingMessage, Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
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
