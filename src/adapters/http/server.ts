import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Failure } from '../../model/failure.ts';
import {
  answerBadRequest,
  boundUnread,
  type Exchange,
  hangUpIfSlow,
  isUnambiguous,
  refuse,
} from './malformed-requests.ts';
import { capSockets, clientAddressOf, type SocketCap } from './sockets.ts';

/** Where and how to listen; proxies within `trustProxy` are believed about whom they forward. */
export interface Listening extends SocketCap {
  readonly host: string;
  readonly port: number;
  readonly tls: { cert: Buffer; key: Buffer } | undefined;
  /** Whether clients reach the service by https, here or at a proxy. */
  readonly isHttps: boolean;
  /** Is told the error code of what was refused for being no request, or not one in time. */
  readonly onNoRequest?: ((code: string) => void) | undefined;
}

/** Those with forward secrecy and authenticated encryption; TLS 1.3 has no others. */
const ciphers =
  'ECDHE+AESGCM:ECDHE+CHACHA20:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

/** Answers a request whose client has the given network address. */
export type Respond = (request: Request, connection: { address: string; requestId: string }) => Promise<Response>;

export interface HttpServer {
  readonly port: number;
  /** Ends each connection with its next answer, then stops listening; what is in flight has `graceMs` in all. */
  close(graceMs: number): Promise<void>;
}

/** How long whoever keeps a connection may take to send what it hears of the end with. */
const noticeMs = 500;

/** Serves HTTP, or HTTPS with `tls`. Throws the system's error where it cannot listen. */
export async function openHttpServer(listening: Listening, respond: Respond): Promise<HttpServer> {
  const { host, port, tls, trustProxy, onNoRequest = () => {} } = listening;
  let isClosing = false;
  /** The answers that wait until nobody can connect any more. */
  let waiting: (() => void)[] | undefined;
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      respond(request, {
        address: clientAddressOf(incoming as IncomingMessage, trustProxy),
        requestId: String(outgoing.getHeader(requestIdHeader)),
      }),
    {
      // A Host or a target that makes no URL.
      errorHandler: () => Response.json(badRequest.body, { status: badRequest.status, headers: noStore }),
      // It gives an unread body half a second and then ends the connection; boundUnread counts bytes instead.
      autoCleanupIncoming: false,
    },
  );
  // Without requireHostHeader Node answers a missing Host by itself, with an empty body.
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    joinDuplicateHeaders: true, // two Authorization headers are no token, where Node would take the first
  };
  const server: Server = tls
    ? https.createServer({ ...options, ...tls, ciphers, handshakeTimeout: 10_000 })
    : http.createServer(options);
  server.timeout = 12_000; // more than for headers, which are told so; a write that stands still is noticed at the second time
  capSockets(server, listening);

  const standard = standardHeaders(listening.isHttps);
  const standardFields = Object.entries(standard);
  const exchanges = new WeakMap<Duplex, Exchange>();
  function exchange(incoming: IncomingMessage, outgoing: ServerResponse, isRefused: boolean): void {
    // Nothing that follows a last request is one (RFC 9112, section 9.6): it may be what was meant as its body.
    if (exchanges.get(incoming.socket)?.isLast) return;
    // Node throws away what has arrived behind a request for an upgrade.
    const isLast = isRefused || isClosing || incoming.headers.upgrade !== undefined;
    exchanges.set(incoming.socket, { incoming, outgoing, isLast });
    boundUnread(incoming, outgoing);
    for (const [name, value] of standardFields) outgoing.setHeader(name, value);
    outgoing.setHeader(requestIdHeader, requestIdOf(incoming));
    if (isLast) outgoing.setHeader('connection', 'close');
    if (isRefused) {
      onNoRequest('BAD_REQUEST');
      answerBadRequest(outgoing);
    } else if (waiting) waiting.push(() => void listener(incoming, outgoing));
    else void listener(incoming, outgoing);
  }
  server.on('request', (incoming, outgoing) => exchange(incoming, outgoing, !isUnambiguous(incoming)));
  // Node answers what it does not know to expect by itself, with an empty body.
  server.on('checkExpectation', (incoming, outgoing) => exchange(incoming, outgoing, true));
  server.on('timeout', (socket) => hangUpIfSlow(socket, exchanges.get(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    onNoRequest(error.code ?? error.name);
    refuse(error, socket, exchanges.get(socket), { ...standard, [requestIdHeader]: randomUUID() });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(void server.off('error', reject)));
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      isClosing = true;
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await pause(noticeMs);
      // Each answer is a reason to connect anew: none is given until all who have connected are in.
      waiting = [];
      await quietMoment(server);
      // That of HTTP would close idle connections at once, where a request may be on its way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const answer of waiting) answer();
      waiting = undefined;
      const idle = setInterval(() => server.closeIdleConnections(), noticeMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

/**
 * Comes back when nobody has connected for a while, in the turn of the event loop that has seen it, but in good time. The
 * system takes connections before we do, and hangs up on those that a closed listener has not taken over.
 */
async function quietMoment(server: Server): Promise<void> {
  const deadline = performance.now() + noticeMs;
  let latestAt = performance.now();
  server.on('connection', () => {
    latestAt = performance.now();
  });
  while (performance.now() < Math.min(latestAt + noticeMs / 10, deadline)) {
    await pause(5);
    await turn();
  }
}

const noStore = { 'cache-control': 'no-store' };
const badRequest = new Failure('BAD_REQUEST');

/** What every answer says unless it says otherwise itself, as pages do of what they load. */
const standardHeaders = (isHttps: boolean) => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

const requestIdHeader = 'X-Request-Id';

/** That of the client where it is one, else a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = String(headers['x-request-id'] ?? '');
  return /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
