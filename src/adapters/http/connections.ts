import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly isLast: boolean;
  /** Gives the body of the request five minutes to arrive; undefined if it has none. */
  readonly allowUpload: (() => void) | undefined;
}

/** Closes an idle connection, unless its client waits for a response or its body, which has a timeout, is arriving. */
export function closeIfStalled(socket: Duplex, latest: Exchange | undefined): void {
  const isResponseDue = latest?.outgoing.writableFinished === false;
  if (socket.writableLength > 0 || !isResponseDue) socket.destroy();
}

const lingerMs = 2_000;

/** Sends `text` and reads on for 2 s: otherwise the kernel resets a client that still sends (RFC 9112, section 9.6). */
export function lingeringClose(socket: Duplex, text = ''): void {
  socket.end(text);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** How much of an unread body is read and discarded after the response, so that the connection can be used again. */
const discardBytes = 16 * 1024 * 1024;

/** Closes the connection if more than 16 MiB of a body arrive after the response; Node would read it to its end. */
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

/** How long keep-alive clients have to send one last request, and the accept queue to empty. */
const drainMs = 500;
const quietMs = 50;

/** Closes an HTTP server so that each client that could connect gets a response (`trust/http/sigterm`). */
export function drainOf(server: Server) {
  let isDraining = false;
  let heldResponses: (() => void)[] | undefined;
  return {
    /** True once `close` has been called: each response is then the last of its connection. */
    isDraining: () => isDraining,

    /** Responds to a request now or, while the accept queue empties, once the listener is closed. */
    respond(start: () => void): void {
      if (heldResponses) heldResponses.push(start);
      else start();
    },

    /** Stops listening and resolves when every connection has ended, by force after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      isDraining = true;
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      // Keep-alive clients can send one more request, and learn from its response that the connection ends.
      await pause(drainMs);
      // A client that reads `Connection: close` connects again: without held responses the queue would never empty.
      heldResponses = [];
      await emptyAcceptQueue(server);
      // http.Server.close would close idle connections at once, and reset those on which a request is arriving.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const start of heldResponses) start();
      heldResponses = undefined;
      const idle = setInterval(() => server.closeIdleConnections(), drainMs);
      await closed;
      clearInterval(idle);
      clearTimeout(force);
    },
  };
}

/** Resolves after 50 ms without a new connection, or after 500 ms: the kernel resets those still in the accept queue. */
async function emptyAcceptQueue(server: Server): Promise<void> {
  const deadline = performance.now() + drainMs;
  let latestAt = performance.now();
  server.on('connection', () => {
    latestAt = performance.now();
  });
  while (performance.now() < Math.min(latestAt + quietMs, deadline)) {
    await pause(5);
    // Continues after the poll phase, which accepts connections: after a timer the queue may have filled again.
    await turn();
  }
}
