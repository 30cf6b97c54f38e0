import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure, type FailureCode } from '../../model/failure.ts';

/** A request on a connection, its answer, and whether the connection ends with that. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly isLast: boolean;
}

/**
 * Whether a request means one thing only, where Node leaves that to us: one Host, a body of a length or in chunks, no
 * credentials in the target (RFC 9112, sections 3.2 and 6.1; RFC 9110, section 4.2.4).
 */
export function isUnambiguous({ rawHeaders, headers, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
  const coding = headers['transfer-encoding']?.toLowerCase();
  const isFramed = coding === undefined || (coding === 'chunked' && httpVersion === '1.1');
  return hosts === 1 && isFramed && !/^\w+:\/\/[^/?#]*@/.test(url);
}

/** Answers what is no request with the error body. */
export function answerBadRequest(outgoing: ServerResponse): void {
  const { status, headers, body } = failed('BAD_REQUEST');
  outgoing.writeHead(status, headers).end(body);
}

const parserFailures: Record<string, FailureCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/**
 * Answers what the HTTP parser refuses with the error body and these headers, and closes the connection. Nothing is said
 * twice or out of turn, so that no answer is taken for that of another request; `latest` is the one before.
 */
export function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  latest: Exchange | undefined,
  standard: OutgoingHttpHeaders,
): void {
  const { code = '' } = error;
  // What else comes here is a fault of the connection, or of its TLS handshake.
  const isParsers = code.startsWith('HPE_') || code in parserFailures;
  if (!isParsers) return void socket.destroy();
  // Answered already: this is what was still on its way.
  if (!socket.writable) return;
  if (latest !== undefined) {
    const { incoming, outgoing } = latest;
    const isAnswered = incoming.complete || outgoing.headersSent;
    if (isAnswered && !outgoing.writableFinished) return void afterwards(outgoing, 'finish', () => end(socket));
    if (!incoming.complete && isAnswered) return void end(socket);
    // Its own body is refused, and it waits for its turn behind others.
    if (!incoming.complete && outgoing.socket === null)
      return void afterwards(outgoing, 'socket', () => refuse(error, socket, latest, standard));
  }
  const { status, headers, body } = failed(parserFailures[code] ?? 'BAD_REQUEST');
  const fields = Object.entries({ ...standard, ...headers }).map(([name, value]) => `${name}: ${value}`);
  end(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body].join('\r\n'));
}

/**
 * Closes a connection on which nothing has moved for too long. With an answer due and nothing to write nobody is slow: a
 * subscription, or a body that is still on its way.
 */
export function hangUpIfSlow(socket: Duplex, latest: Exchange | undefined): void {
  const isAnswerDue = latest?.outgoing.writableFinished === false;
  if (socket.writableLength > 0 || !isAnswerDue) socket.destroy();
}

const lingerMs = 2_000;

/** Lingering close: sends `text` and closes 2 s later, so that the client reads it before the reset (RFC 9112, section 9.6). */
function end(socket: Duplex, text = ''): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** How much of a body that nobody has read is taken in after the answer, so that the connection can go on. */
const drainBytes = 16 * 1024 * 1024;

/** Closes the connection when more of a body arrives than that; Node alone would read it to its end. */
export function boundUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  // Before Node's own listener, which lets a body that nobody reads pass uncounted.
  outgoing.prependOnceListener('finish', () => {
    if (incoming.complete) return;
    let drained = 0;
    incoming.removeAllListeners('data').on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained <= drainBytes) return;
      incoming.pause();
      end(incoming.socket);
    });
    // A reader that has stopped in the middle has left it paused.
    incoming.resume();
  });
}

/** Each answer that something waits for; more may be refused behind it meanwhile. */
const awaited = new WeakSet<ServerResponse>();

function afterwards(outgoing: ServerResponse, event: 'finish' | 'socket', act: () => void): void {
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
