import type { IncomingMessage, Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { blockOf, toAddress } from '../../model/network-block.ts';

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

/** The rightmost hop that is not a trusted proxy; what a proxy forwards that is not an address ends the search. */
export function clientAddressOf({ socket, headers }: IncomingMessage, trustProxy: BlockList): string {
  let address = addressOf(socket);
  for (const hop of String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .reverse()) {
    const forwarded = toAddress(hop.trim());
    if (forwarded === null || !isWithin(trustProxy, address)) break;
    address = forwarded;
  }
  return address;
}

/** Empty once the connection is gone. */
const addressOf = ({ remoteAddress = '' }: Socket): string => toAddress(remoteAddress) ?? '';

const isWithin = (networks: BlockList, address: string): boolean =>
  networks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
