import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { type Cleanup, fixture } from './files.ts';

/** The environment in which a process trusts the server. */
export const trustingEnv = { NODE_EXTRA_CA_CERTS: fixture('tls-cert.pem') };

/** Makes this process trust the server until the end of the test, or of the file: others follow it in the process. */
export function trustServer(t: Cleanup): void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, readFileSync(trustingEnv.NODE_EXTRA_CA_CERTS, 'utf8')]);
  t.after(() => tls.setDefaultCACertificates(before));
}

/** Answers a request to the server. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with a document and its entity tag, or with 304 if that is asked for. */
export const documentOf =
  (text: string, etag = '"1"'): Respond =>
  ({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-type': 'text/html' }).end(text);
  };

/** An https server whose answers a test sets, at `localhost`; `close` and `listen` stop and start it on the same port. */
export async function openDocumentServer(t: Cleanup, first: Respond) {
  let respond = first;
  const requests: IncomingMessage[] = [];
  let onRequest = (): void => {};
  const [cert, key] = ['tls-cert.pem', 'tls-key.pem'].map((name) => readFileSync(fixture(name)));
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(request);
    respond(request, response);
    onRequest();
  });
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
  await listen(0);
  const { port } = server.address() as AddressInfo;
  t.after(() => (server.listening ? close() : undefined));
  return {
    origin: `https://localhost:${port}`,
    /** The requests so far. */
    requests,
    answer(next: Respond): void {
      respond = next;
    },
    /** Resolves when so many more requests have arrived. */
    async requested(count: number): Promise<void> {
      const until = requests.length + count;
      await new Promise<void>((resolve) => {
        onRequest = () => requests.length >= until && resolve();
      });
    },
    close,
    listen: () => listen(port),
  };
}
