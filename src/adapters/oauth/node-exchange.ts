import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A request and its response as Node's HTTP server would make them, for a library that is written for it. */
export interface NodeExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Resolves when the library has ended the response. */
  readonly response: Promise<Response>;
}

interface Options {
  readonly method: string;
  /** Host, scheme and the path of the service come from the public address, never from the request. */
  readonly baseUrl: string;
  /** The path below the public address, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | null;
  /** The network address of the client, which limits go by; null if unknown. */
  readonly from?: string | null;
}

/** Makes a request that was not received on a socket. */
export function nodeExchangeOf({ method, baseUrl, target, headers, body = null, from = null }: Options): NodeExchange {
  const { host, protocol, pathname } = new URL(baseUrl);
  const socket = Object.assign(new Socket(), { encrypted: protocol === 'https:' });
  Object.defineProperty(socket, 'remoteAddress', { value: from ?? undefined });
  const incoming = new IncomingMessage(socket);
  const length = body === null ? {} : { 'content-length': String(body.byteLength) };
  Object.assign(incoming, { method, url: target, originalUrl: pathname.replace(/\/$/, '') + target });
  Object.assign(incoming.headers, { host, ...headers, ...length });
  if (body !== null) incoming.push(body);
  incoming.push(null);
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  const outgoing = new ServerResponse(incoming);
  // Instead of to a socket, the library's response goes to the caller.
  outgoing.end = ((content?: string | Uint8Array<ArrayBuffer>) => {
    const status = outgoing.statusCode;
    const isEmpty = status === 204 || status === 304 || content === undefined || content.length === 0;
    resolve(new Response(isEmpty ? null : content, { status, headers: headersOf(outgoing) }));
    return outgoing;
  }) as ServerResponse['end'];
  return { incoming, outgoing, response };
}

function headersOf(outgoing: ServerResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(outgoing.getHeaders()))
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, String(one));
  return headers;
}
