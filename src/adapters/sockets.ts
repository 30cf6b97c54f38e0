import type { IncomingMessage, Server } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { blockOf } from '../model/network-block.ts';

/** How many connections one client may have open; an IPv6 client is its /64, and trusted proxies are many clients. */
export interface SocketCap {
  readonly trustProxy: BlockList;
  readonly socketsPerAddress: number;
  /** Is told the address of each connection that is closed for being one too many. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** Closes each new connection beyond the cap at once; those that its client has already go on. */
export function capSockets(server: Server, { trustProxy, socketsPerAddress, onRefused }: SocketCap): void {
  const open = new Map<string, number>();
  // Before TLS sees it: a handshake that never ends is a socket, too.
  server.prependListener('connection', (socket) => {
    const address = toPlainAddress(socket.remoteAddress ?? '');
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

/** The rightmost hop that is no trusted proxy; what a proxy forwards that is no address ends the search. */
export function clientAddressOf({ socket, headers }: IncomingMessage, trustProxy: BlockList): string {
  let address = toPlainAddress(socket.remoteAddress ?? '');
  for (const hop of String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .reverse()) {
    const forwarded = toPlainAddress(hop.trim());
    if (isIP(forwarded) === 0 || !isWithin(trustProxy, address)) break;
    address = forwarded;
  }
  return address;
}

const isWithin = (networks: BlockList, address: string): boolean =>
  networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address mapped into IPv6 is the IPv4 address (RFC 4291, section 2.5.5.2). */
const toPlainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
