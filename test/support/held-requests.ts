import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { BlockList } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openHttpServer } from '../../src/adapters/http/server.ts';
import type { App } from '../../src/service/app.ts';
import { rowsOf } from './database.ts';
import type { Cleanup } from './files.ts';

/** A request with a body, to a path of a service at `http://127.0.0.1:3000`. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that lacks its last byte. */
export type Held = Awaited<ReturnType<Awaited<ReturnType<typeof openHolding>>>>;

/**
 * Serves a service on a socket. Returns a function that sends a request but the last byte of its body; it resolves once
 * the service reads the body, or has answered without it, with a function that sends that byte.
 */
export async function openHolding(t: Cleanup, { app }: { readonly app: App }) {
  const reading = new Map<string, () => void>();
  const server = await openHttpServer(
    {
      ...{ host: '127.0.0.1', port: 0, tls: undefined, isHttps: false },
      ...{ trustProxy: new BlockList(), socketsPerAddress: 1_000 },
    },
    (received, connection) => {
      // On a slow machine, the usual 20 s might not be enough for what a test does meanwhile.
      connection.awaitUpload?.();
      return app.fetch(
        observed(received, () => reading.get(String(connection.requestId))?.()),
        connection,
      );
    },
  );
  t.after(() => server.close(0));
  let count = 0;
  return async function hold({ method, path, headers, body }: Sent) {
    count += 1;
    const id = `held-${count}`;
    const isRead = Promise.withResolvers<boolean>();
    reading.set(id, () => isRead.resolve(true));
    const sent = request({
      ...{ host: '127.0.0.1', port: server.port, method, path, agent: false },
      headers: { host: '127.0.0.1:3000', 'x-request-id': id, 'content-length': Buffer.byteLength(body), ...headers },
    });
    const answered = once(sent, 'response').then(async ([response]: IncomingMessage[]) => ({
      status: response!.statusCode!,
      headers: response!.headers,
      text: await text(response!),
    }));
    sent.write(Buffer.from(body).subarray(0, -1));
    return {
      isHeld: await Promise.race([isRead.promise, answered.then(() => false)]),
      finish() {
        sent.end(Buffer.from(body).subarray(-1));
        return answered;
      },
    };
  };
}

/** Returns a request that says when its body is read. */
function observed({ url, method, headers, body, signal }: Request, onRead: () => void): Request {
  if (body === null) return new Request(url, { method, headers, signal });
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        onRead();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return new Request(url, { method, headers, body: stream, signal, duplex: 'half' } as RequestInit);
}

/** Returns the requests that can be sent to a route: a route for all methods gets those that may have a body. */
export const requestsOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  (method === 'ALL' ? ['POST', 'PUT', 'PATCH', 'DELETE'] : [method]).map((one) => `${one} ${path}`);

// What counts requests, and what a reload of the profile counts.
const uncompared = ['quota_windows', 'profile_changes', 'leases'];

/** Returns what a service keeps: the rows of its tables, and the files in its folder and beside its profile. */
export function keptBy({ folder, file }: { readonly folder: string; readonly file: string }) {
  const database = join(folder, 'candidate-profile.db');
  const tables = rowsOf(database, "select name from sqlite_schema where type = 'table'").map(({ name }) =>
    String(name),
  );
  const rows = tables
    .filter((name) => !uncompared.includes(name))
    // Mail is being sent meanwhile.
    .map((name) => [name, rowsOf(database, `select ${name === 'outbox' ? 'id, about, text' : '*'} from ${name}`)]);
  const beside = readdirSync(dirname(file)).map((name) => [name, readFileSync(join(dirname(file), name), 'utf8')]);
  // The folder of mails comes with the first, and an uploaded file has a name only for a moment.
  const files = readdirSync(folder).filter((name) => name !== 'mail' && !name.startsWith('.upload-'));
  return { rows: Object.fromEntries(rows), beside: Object.fromEntries(beside), files: files.toSorted() };
}
