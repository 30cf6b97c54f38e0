import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, type FailureCode } from '../../model/failure.ts';

/** A request, its response, and whether it is the last of its connection. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly isLast: boolean;
}

/**
 * Checks what Node's parser accepts although proxies may read it differently: requires one Host, a body framed by length or
 * chunks alone, and no credentials in the target (RFC 9112, sections 3.2 and 6.1; RFC 9110, section 4.2.4).
 */
export function isUnambiguous({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts += 1;
  const coding = headers['transfer-encoding']?.toLowerCase();
  const isFramed = coding === undefined || (coding === 'chunked' && httpVersion === '1.1');
  return hosts === 1 && isFramed && !/^\w+:\/\/[^/?#]*@/.test(url);
}

/** Responds with 400 and the error body. */
export function respondBadRequest(outgoing: ServerResponse): void {
  const { status, headers, body } = failed('BAD_REQUEST');
  outgoing.writeHead(status, headers).end(body);
}

const parserFailures: Record<string, FailureCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/**
 * Responds to what the HTTP parser refuses with the error body and the `standard` headers, and closes the connection. With
 * `latest`, the request before it, it waits for that one's turn and response, so that no response is taken for another's.
 */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  latest: Exchange | undefined,
  standard: OutgoingHttpHeaders,
): void {
  const { code = '' } = error;
  // Other codes are errors of the connection or of its TLS handshake.
  const isParserError = code.startsWith('HPE_') || code in parserFailures;
  if (!isParserError) return void socket.destroy();
  // The connection is closing already; this error is about bytes that were still in flight.
  if (!socket.writable) return;
  if (latest !== undefined) {
    const { incoming, outgoing } = latest;
    const hasResponse = incoming.complete || outgoing.headersSent;
    if (hasResponse && !outgoing.writableFinished)
      return void onceOnly(outgoing, 'finish', () => lingeringClose(socket));
    if (!incoming.complete && hasResponse) return void lingeringClose(socket);
    // The error is in its body, and responses to earlier requests are due first (pipelining).
    if (!incoming.complete && outgoing.socket === null)
      return void onceOnly(outgoing, 'socket', () => refuse(error, socket, latest, standard));
  }
  const { status, headers, body } = failed(parserFailures[code] ?? 'BAD_REQUEST');
  const fields = Object.entries({ ...standard, ...headers }).map(([name, value]) => `${name}: ${value}`);
  lingeringClose(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body].join('\r\n'));
}

/**
 * Closes a connection that was idle for the socket timeout, unless the client only waits for a response: a subscription, or
 * one whose request body is still arriving, which has a timeout of its own.
 */
export function closeIfStalled(socket: Duplex, latest: Exchange | undefined): void {
  const isResponseDue = latest?.outgoing.writableFinished === false;
  if (socket.writableLength > 0 || !isResponseDue) socket.destroy();
}

const lingerMs = 2_000;

/**
 * Lingering close: sends `text` and keeps reading for 2 s so that the client receives it before the reset (RFC 9112, section
 * 9.6). Without it the kernel resets a client that is still sending (`e2e/http/malformed-requests`).
 */
function lingeringClose(socket: Duplex, text = ''): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** How much of an unread body is read and discarded after the response, so that the connection can be used again. */
const discardBytes = 16 * 1024 * 1024;

/** Closes the connection if more than 16 MiB of a body arrive after the response; by default Node reads it to its end. */
export function limitUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  // Before Node's own listener, which discards an unread body without counting.
  outgoing.prependOnceListener('finish', () => {
    if (incoming.complete) return;
    let discarded = 0;
    incoming.removeAllListeners('data').on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded <= discardBytes) return;
      incoming.pause();
      lingeringClose(incoming.socket);
    });
    // A handler that stopped reading has left the stream paused.
    incoming.resume();
  });
}

/** Responses with a listener of `onceOnly`: the parser may report more errors on the connection meanwhile. */
const awaited = new WeakSet<ServerResponse>();

function onceOnly(outgoing: ServerResponse, event: 'finish' | 'socket', act: () => void): void {
  if (awaited.has(outgoing)) return;
  awaited.add(outgoing);
  outgoing.once(event, () => {
    awaited.delete(outgoing);
    act();
  });
}

function failed(code: FailureCode) {
  const failure = new Failure(code);
  const body = JSON.stringify(failure.body);
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { status: failure.status, headers, body };
}
