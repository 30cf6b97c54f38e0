import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Cleanup } from './files.ts';

const typeA = 1;

/**
 * A DNS server (RFC 1035) on loopback: it knows one IPv4 address of each name for which `knows` is true, and never answers a query for
 * another.
 */
export async function openNameServer(t: Cleanup, address: string, knows: (name: string) => boolean, port = 0) {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port: from, address: host }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.');
    const type = query.readUInt16BE(at + 1);
    queries.push(`${name} ${type}`);
    socket.emit('query');
    if (!knows(name)) return;
    const answers =
      type === typeA
        ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)])]
        : [];
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), from, host);
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => void socket.close());
  return {
    server: `127.0.0.1:${socket.address().port}`,
    /** The names asked for, each with the number of its type. */
    queries,
    /** Resolves when the next query arrives. */
    asked: () => once(socket, 'query'),
  };
}
