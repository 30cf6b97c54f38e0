import { connect } from 'node:net';

// Holds 50 connections from each of `addresses` addresses in 127/8, in each of the `ways` by turns, and reads from none of them.
// Sends a message to its parent once all are open.

const [port, addresses, file, ...ways] = process.argv.slice(2);
// More than the kernel's socket buffers hold.
const downloads = `GET ${file} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(20);
const body =
  'POST /auth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** The bytes that each way sends first, and then every 3 s. */
const sent: Record<string, readonly [first: string, then: string]> = {
  idle: ['', ''],
  headers: ['GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', 'a'],
  body: [body, ' '],
  read: [downloads, ''],
};

const count = Number(addresses) * 50;
let begun = 0;
let open = 0;

// 500 per second: all are open before the first one is closed, and the accept queue doesn't overflow.
const from = performance.now();
const beginning = setInterval(() => {
  const due = Math.min(count, ((performance.now() - from) / 1_000) * 500);
  for (; begun < due; begun += 1) begin(begun);
  if (begun === count) clearInterval(beginning);
}, 20);

function begin(index: number): void {
  const [first, then] = sent[ways[index % ways.length]!]!;
  const localAddress = `127.0.1.${1 + Math.floor(index / 50)}`;
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.on('connect', () => {
    socket.write(first);
    open += 1;
    if (open === count) process.send!('open');
  });
  const dripping = setInterval(() => socket.writable && socket.write(then), 3_000);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(dripping));
}

// Exits with its parent.
process.once('disconnect', () => process.exit());
