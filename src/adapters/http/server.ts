import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Failure } from '../../model/failure.ts';
import { type Connection, requestIdHeader, requestIdOf } from './connection.ts';
import { drainOf } from './drain.ts';
import { immediateReplies, type ReplyAtOnce } from './immediate-reply.ts';
import {
  closeIfStalled,
  type Exchange,
  isUnambiguous,
  limitUnreadBody,
  refuse,
  respondBadRequest,
} from './malformed-requests.ts';
import { capSockets, clientAddressOf, type SocketCap } from './sockets.ts';

/** Where and how to listen; `X-Forwarded-For` is read only from proxies in `trustProxy`. */
interface Listening extends SocketCap {
  readonly host: string;
  readonly port: number;
  readonly tls: { cert: Buffer; key: Buffer } | undefined;
  /** Whether clients use https, with this server or with a proxy in front of it. */
  readonly isHttps: boolean;
  /** Called with the error code of each malformed request, or of one that took too long to arrive. */
  readonly onMalformed?: ((code: string) => void) | undefined;
}

/** Ciphers with forward secrecy and authenticated encryption; TLS 1.3 has no others. */
const ciphers =
  'ECDHE+AESGCM:ECDHE+CHACHA20:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

/** Responds to a request. */
type Respond = (request: Request, connection: Connection) => Promise<Response>;

interface HttpServer {
  readonly port: number;
  /** Ends each connection with its next response and stops listening; after `graceMs` connections are destroyed. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves HTTP, or HTTPS with `tls`: requests go to `replyAtOnce`, and those that it leaves to `respond`. Throws the system's error
 * if it cannot listen.
 */
export async function openHttpServer(
  listening: Listening,
  respond: Respond,
  replyAtOnce: ReplyAtOnce = () => null,
): Promise<HttpServer> {
  const { host, port, tls, trustProxy, onMalformed = () => {} } = listening;
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      respond(request, {
        address: clientAddressOf(incoming as IncomingMessage, trustProxy),
        requestId: String(outgoing.getHeader(requestIdHeader)),
      }),
    {
      // Called if Host and target don't form a URL.
      errorHandler: () => Response.json(badRequest.body, { status: badRequest.status, headers: noStore }),
      // Otherwise it ends a connection half a second after the response to an unread body; limitUnreadBody counts bytes.
      autoCleanupIncoming: false,
    },
  );
  // By default Node itself responds to a missing Host, with an empty body.
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 20_000,
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
  const sendAtOnce = immediateReplies(standard, replyAtOnce);
  const exchanges = new WeakMap<Duplex, Exchange>();
  function exchange(incoming: IncomingMessage, outgoing: ServerResponse, isRefused: boolean): void {
    // What follows the last request of a connection may be its body, so it is not parsed as a request (RFC 9112, section 9.6).
    if (exchanges.get(incoming.socket)?.isLast) return;
    // Node discards what it has received after a request for an upgrade.
    const isLast = isRefused || drain.isDraining() || incoming.headers.upgrade !== undefined;
    exchanges.set(incoming.socket, { incoming, outgoing, isLast });
    const requestId = requestIdOf(incoming);
    // An immediate reply needs none of it: its request has no body, and its head is written whole.
    const prepareResponse = () => {
      limitUnreadBody(incoming, outgoing);
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
  server.on('request', (incoming, outgoing) => exchange(incoming, outgoing, !isUnambiguous(incoming)));
  // By default Node itself responds to an unknown `Expect`, with an empty body.
  server.on('checkExpectation', (incoming, outgoing) => exchange(incoming, outgoing, true));
  server.on('timeout', (socket) => closeIfStalled(socket, exchanges.get(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    onMalformed(error.code ?? error.name);
    refuse(error, socket, exchanges.get(socket), { ...standard, [requestIdHeader]: randomUUID() });
  });
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: drain.close,
  };
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
