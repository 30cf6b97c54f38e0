import http, { type IncomingMessage, type Server } from 'node:http';
import https from 'node:https';
import { type AddressInfo, type BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Failure, type FailureCode } from '../model/failure.ts';

/** Where and how to listen; proxies within `trustProxy` are believed about whom they forward. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly tls: { cert: Buffer; key: Buffer } | undefined;
  readonly trustProxy: BlockList;
}

/** Answers a request whose client has the given network address. */
export type Respond = (
  request: Request,
  connection: { address: string; requestId: string | null },
) => Promise<Response>;

export interface HttpServer {
  readonly port: number;
  /** Stops listening, lets what is in flight finish within `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** Serves HTTP, or HTTPS with `tls`. Throws the system's error where it cannot listen. */
export async function openHttpServer(
  { host, port, tls, trustProxy }: Listening,
  respond: Respond,
): Promise<HttpServer> {
  let isClosing = false;
  const listener = getRequestListener(
    (request, { incoming }) =>
      respond(request, { address: clientAddressOf(incoming as IncomingMessage, trustProxy), requestId: null }),
    // What is no request at all: a Host or a target that makes no URL.
    { errorHandler: () => failed(new Failure('BAD_REQUEST')) },
  );
  // Without requireHostHeader Node answers a missing Host by itself, with an empty body.
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
    joinDuplicateHeaders: true, // two Host headers make no URL, where Node would take the first (RFC 9112, section 3.2)
  };
  const server: Server = tls ? https.createServer({ ...options, ...tls }) : http.createServer(options);
  server.on('request', (incoming, outgoing) => {
    if (isClosing) outgoing.setHeader('connection', 'close');
    void listener(incoming, outgoing);
  });
  server.on('clientError', refuse);
  // Node answers what it does not know to expect by itself, with an empty body.
  server.on('checkExpectation', (_, outgoing) => {
    outgoing.writeHead(400, failureHeaders).end(JSON.stringify(new Failure('BAD_REQUEST').body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(void server.off('error', reject)));
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), 100);
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

const failureHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' };

const failed = (failure: Failure) =>
  new Response(JSON.stringify(failure.body), { status: failure.status, headers: failureHeaders });

const parserFailures: Record<string, FailureCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers, with the error body, what the HTTP parser itself refuses. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const failure = new Failure(parserFailures[error.code ?? ''] ?? 'BAD_REQUEST');
  const body = JSON.stringify(failure.body);
  const head = [
    `HTTP/1.1 ${failure.status} ${http.STATUS_CODES[failure.status]}`,
    'Content-Type: application/json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The rightmost hop that is no trusted proxy; what a proxy forwards that is no address ends the search. */
function clientAddressOf({ socket, headers }: IncomingMessage, trusted: BlockList): string {
  let address = toPlainAddress(socket.remoteAddress ?? '');
  for (const hop of String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .reverse()) {
    const forwarded = toPlainAddress(hop.trim());
    if (isIP(forwarded) === 0 || !trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) break;
    address = forwarded;
  }
  return address;
}

/** An IPv4 address mapped into IPv6 is the IPv4 address (RFC 4291, section 2.5.5.2). */
const toPlainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
