import { once } from 'node:events';
import { connect } from 'node:net';
import type { Cleanup } from './files.ts';
import { eventually } from './process.ts';

/** Returns the request line and headers with the empty line after them. */
export const head = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');

/** Opens a TCP connection to a service, to send what HTTP clients do not send. Throws if the connection is refused. */
export async function dial(t: Cleanup, url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  t.after(() => void socket.destroy());
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  await once(socket, 'connect');
  // A reset while data is sent to the service is expected; what was received before is still read.
  socket.on('error', () => {});
  return {
    send: (text: string) => void socket.write(text),
    hangUp: () => void socket.destroy(),
    /** Waits until the service has sent this text. */
    heard: (text: string) => eventually(() => received.includes(text)),
    /** Resolves with all responses when the service closes the connection. */
    async responses() {
      await eventually(() => socket.closed);
      return [...responsesIn(received)];
    },
  };
}

/** Splits what was received into responses by Content-Length. */
function* responsesIn(text: string) {
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const [line = '', ...fields] = rest.slice(0, end - 4).split('\r\n');
    const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/, 2) as [string, string]));
    const length = Number(headers.get('content-length') ?? 0);
    yield { status: Number(line.split(' ')[1]), headers, body: rest.slice(end, end + length) };
    rest = rest.slice(end + length);
  }
}
