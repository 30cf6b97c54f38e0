import { once } from 'node:events';
import { connect } from 'node:net';
import { type Cleanup, eventually } from './process.ts';

/** The head of a request, with the empty line that ends it. */
export const head = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');

/** A bare connection to a service, for what no HTTP client would send. Throws where nobody listens. */
export async function dial(t: Cleanup, url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  t.after(() => void socket.destroy());
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  await once(socket, 'connect');
  // A service may hang up while something is still on its way to it; what it has said is there all the same.
  socket.on('error', () => {});
  return {
    send: (text: string) => void socket.write(text),
    hangUp: () => void socket.destroy(),
    /** Waits until the service has said this. */
    heard: (text: string) => eventually(() => received.includes(text)),
    /** Every response there was, once the service hangs up. */
    async responses() {
      await eventually(() => socket.closed);
      return [...responsesIn(received)];
    },
  };
}

/** Cuts what a service has said into its responses, each of which says how long its body is. */
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
