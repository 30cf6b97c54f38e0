import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, BlockList, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Failure } from '../../model/failure.ts';
import type { Connection, Reply, RequestHead } from '../../model/http.ts';
import { blockOf, toAddress } from '../../model/network-block.ts';
import type { CertificatePair } from './certificate.ts';
import { closeIfStalled, drainOf, type Exchange, limitUnreadBody } from './connections.ts';
import { refuse, refuseConnect, respondBadRequest } from './malformed-requests.ts';

/** The address to listen on, and the server's rules; `X-Forwarded-For` is read only from `trustProxy`. */
interface Listening {
  readonly trustProxy: BlockList;
  /** How many connections one IPv4 address or IPv6 /64 may have open. Trusted proxies are exempt. */
  readonly socketsPerAddress: number;
  readonly onRefused?: ((address: string) => void) | undefined;
  readonly host: string;
  readonly port: number;
  readonly tls: CertificatePair | undefined;
  /** The path of the public address, which is removed from targets that begin with it; '' if it has none. */
  readonly keptPath?: string;
  /** Whether clients use https, with this server or with a proxy in front of it. */
  readonly isHttps: boolean;
  /** Called with the error code of each malformed request, or of a request that took too long to arrive. */
  readonly onMalformed?: ((code: string) => void) | undefined;
}

/** Ciphers with forward secrecy and authenticated encryption; TLS 1.3 has no others. */
const ciphers =
  'ECDHE+AESGCM:ECDHE+CHACHA20:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

interface Handlers {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Replies to a request whose response can be known from its head; returns null for all others. */
  replyAtOnce(head: RequestHead, connection: Connection): Reply | null;
}

/** Serves HTTP, or HTTPS with `tls`. Throws the system's error if it cannot listen. */
export async function openHttpServer(
  listening: Listening,
  fetch: Handlers['fetch'],
  replyAtOnce: Handlers['replyAtOnce'] = () => null,
) {
  const handlers: Handlers = { fetch, replyAtOnce };
  const { host, port, tls, trustProxy, keptPath = '', onMalformed = () => {} } = listening;
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      handlers.fetch(request, {
        address: clientAddressOf(incoming as IncomingMessage, trustProxy),
        requestId: String(outgoing.getHeader(requestIdHeader)),
        awaitUpload() {
          const latest = exchanges.get((incoming as IncomingMessage).socket);
          if (latest?.incoming === incoming) latest.allowUpload?.();
        },
      }),
    {
      // Called if Host and target don't form a URL.
      errorHandler: () => Response.json(badRequest.body, { status: badRequest.status, headers: noStore }),
      // Otherwise it ends a connection soon after the response to an unread body; limitUnreadBody counts bytes.
      autoCleanupIncoming: false,
      // In place of a Host that a probe does not send.
      hostname: 'localhost',
    },
  );
  // By default Node itself responds to a missing Host, with an empty body.
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 0, // `limitBody` has two limits
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    joinDuplicateHeaders: true, // otherwise Node takes the first of two Authorization headers; joined they are not a valid token
  };
  const server: Server = tls
    ? https.createServer({ ...options, ...tls, ciphers, handshakeTimeout: 10_000 })
    : http.createServer(options);
  // Longer than headersTimeout, which sends a response. A stalled write is closed at the second timeout.
  server.timeout = 12_000;
  capSockets(server, listening);

  const drain = drainOf(server);
  const standard = standardHeaders(listening.isHttps);
  const standardFields = Object.entries(standard);
  const sendAtOnce = immediateReplies(standard, handlers);
  const exchanges = new WeakMap<Duplex, Exchange>();
  function exchange(incoming: IncomingMessage, outgoing: ServerResponse, isRefused: boolean): void {
    // After the last request of a connection come bytes of its body, which are not parsed (RFC 9112, section 9.6).
    if (exchanges.get(incoming.socket)?.isLast) return;
    // Node discards what it has received after a request for an upgrade.
    const isLast = isRefused || drain.isDraining() || incoming.headers.upgrade !== undefined;
    const allowUpload = hasBody(incoming) ? limitBody(server, incoming) : undefined;
    exchanges.set(incoming.socket, { incoming, outgoing, isLast, allowUpload });
    const requestId = requestIdOf(incoming);
    // An immediate reply needs none of it: its head is written whole.
    const prepareResponse = () => {
      if (allowUpload !== undefined) limitUnreadBody(incoming, outgoing);
      for (const [name, value] of standardFields) outgoing.setHeader(name, value);
      outgoing.setHeader(requestIdHeader, requestId);
      if (isLast) outgoing.setHeader('connection', 'close');
    };
    if (isRefused) {
      prepareResponse();
      onMalformed('BAD_REQUEST');
      respondBadRequest(outgoing);
      return;
    }
    drain.respond(() => {
      const connection = { address: clientAddressOf(incoming, trustProxy), requestId };
      if (sendAtOnce(incoming, outgoing, connection, isLast)) return;
      prepareResponse();
      void listener(incoming, outgoing);
    });
  }
  server.on('request', (incoming, outgoing) => {
    if (keptPath !== '') incoming.url = withoutPath(incoming.url!, keptPath);
    exchange(incoming, outgoing, !isUnambiguous(incoming));
  });
  // By default Node itself responds to an unknown `Expect`, with an empty body.
  server.on('checkExpectation', (incoming, outgoing) => exchange(incoming, outgoing, true));
  server.on('timeout', (socket) => closeIfStalled(socket, exchanges.get(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    onMalformed(error.code ?? error.name);
    refuse(error, socket, exchanges.get(socket), { ...standard, [requestIdHeader]: randomUUID() });
  });
  server.on('connect', (_incoming, socket) =>
    refuseConnect(socket, exchanges.get(socket), { ...standard, [requestIdHeader]: randomUUID() }),
  );
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    use({ fetch, replyAtOnce }: Handlers): void {
      Object.assign(handlers, { fetch, replyAtOnce });
    },
    /** Presents another certificate to new connections, with `tls`. If it is not a pair, throws and keeps the old one. */
    presentCertificate: (pair: CertificatePair) => (server as https.Server).setSecureContext({ ...pair, ciphers }),
    /** Ends each connection with its next response and stops listening; after `graceMs` connections are destroyed. */
    close: drain.close,
  };
}

/** Removes a path that a target begins with, in its absolute form, too (RFC 9112, section 3.2.2). */
function withoutPath(target: string, path: string): string {
  const start = target.startsWith('/') ? 0 : target.indexOf('/', target.indexOf('://') + 3);
  if (start < 0 || !target.startsWith(path, start)) return target;
  const below = target.slice(start + path.length);
  return ['', '/', '?'].includes(below.slice(0, 1)) ? `${target.slice(0, start)}/${below.replace(/^\//, '')}` : target;
}

/** Whether every proxy reads the head alike: one Host, one framing, no credentials (RFC 9112, 3.2, 6.1; RFC 9110, 4.2.4). */
function isUnambiguous({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts += 1;
  const coding = headers['transfer-encoding']?.toLowerCase();
  const isFramed = coding === undefined || (coding === 'chunked' && httpVersion === '1.1');
  const isProbe = hosts === 0 && httpVersion === '1.0' && /^\/(healthz|readyz)(\?|$)/.test(url);
  return (hosts === 1 || isProbe) && isFramed && !/^\w+:\/\/[^/?#]*@/.test(url);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends a request whose body takes more than 20 s to arrive. Returns a function that gives it five minutes from then. */
function limitBody(server: Server, incoming: IncomingMessage): () => void {
  let timer: NodeJS.Timeout;
  const endAfter = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (incoming.complete || incoming.socket.destroyed) return;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, incoming.socket);
    }, milliseconds).unref();
  };
  endAfter(20_000);
  incoming.once('close', () => clearTimeout(timer));
  return () => endAfter(300_000);
}

const noStore = { 'cache-control': 'no-store' };
const badRequest = new Failure('BAD_REQUEST');

/** The default headers of every response, which a response may replace. */
const standardHeaders = (isHttps: boolean): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

const requestIdHeader = 'X-Request-Id';

/** Returns the client's request id if it is valid, otherwise a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Closes each new connection above the cap at once; the client's other connections stay open. */
export function capSockets(
  server: Server,
  { trustProxy, socketsPerAddress, onRefused }: Pick<Listening, 'trustProxy' | 'socketsPerAddress' | 'onRefused'>,
): void {
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

/** Returns the rightmost hop of `X-Forwarded-For` that is not a trusted proxy; the search ends at an invalid entry. */
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
  const address = addresses.get(socket) ?? toAddress(socket.remoteAddress ?? '') ?? '';
  addresses.set(socket, address);
  return address;
}

const isWithin = (networks: BlockList, address: string): boolean =>
  networks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

/** Returns a function that sends the reply with the `standard` headers and returns true, or false without one. */
function immediateReplies(standard: Record<string, string>, handlers: Handlers) {
  const standardFields = Object.entries(standard).flat();
  // Most replies are sent again and again, each to another request.
  const encoded = new WeakMap<Reply, { readonly fields: readonly string[]; readonly body: string }>();

  function encode(reply: Reply) {
    const fields = Object.entries(reply.headers).flat();
    // A character for each byte: Node sends such a text in one write with the head, and without encoding it again.
    const bytes = { fields, body: Buffer.from(reply.body ?? '').toString('latin1') };
    encoded.set(reply, bytes);
    return bytes;
  }

  return function sendAtOnce(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
    isLast: boolean,
  ): boolean {
    const { method, url: target = '', headers } = incoming;
    if (method !== 'GET' || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      return false;
    const {
      host = '',
      authorization = null,
      'if-none-match': ifNoneMatch = null,
      'user-agent': userAgent = null,
    } = headers;
    const reply = handlers.replyAtOnce({ host, target, authorization, ifNoneMatch, userAgent }, connection);
    if (reply === null) return false;
    const { fields, body } = encoded.get(reply) ?? encode(reply);
    const ownFields = [requestIdHeader, String(connection.requestId), ...(isLast ? ['connection', 'close'] : [])];
    outgoing.writeHead(reply.status, [...standardFields, ...ownFields, ...fields]).end(body, 'latin1');
    return true;
  };
}
