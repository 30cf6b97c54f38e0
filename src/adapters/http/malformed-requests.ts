import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, type FailureCode } from '../../model/failure.ts';
import { type Exchange, lingeringClose } from './connections.ts';

export function respondBadRequest(outgoing: ServerResponse): void {
  const { status, headers, body } = failed('BAD_REQUEST');
  outgoing.writeHead(status, headers).end(body);
}

const parserFailures: Record<string, FailureCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Refuses a request, and closes the connection, after the response to `latest`: no response is taken for another's. */
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
  sendLast(parserFailures[code] ?? 'BAD_REQUEST', socket, standard);
}

/** Refuses CONNECT, for which Node hands over the socket, after the response to `latest`: this service is not a proxy. */
export function refuseConnect(socket: Duplex, latest: Exchange | undefined, standard: OutgoingHttpHeaders): void {
  const send = () => sendLast('METHOD_NOT_ALLOWED', socket, { ...standard, allow: 'GET, HEAD, POST, DELETE, OPTIONS' });
  // Node has removed its own listener: without one, a client that resets the connection ends the process.
  socket.on('error', () => socket.destroy());
  socket.resume();
  if (latest === undefined || latest.outgoing.writableFinished) send();
  else onceOnly(latest.outgoing, 'finish', send);
}

/** Writes the response to a request that has no `ServerResponse`, and closes the connection. */
function sendLast(code: FailureCode, socket: Duplex, standard: OutgoingHttpHeaders): void {
  const { status, headers, body } = failed(code);
  const fields = Object.entries({ ...standard, ...headers }).map(([name, value]) => `${name}: ${value}`);
  lingeringClose(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body].join('\r\n'));
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
