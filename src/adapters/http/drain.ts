import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** How long keep-alive clients have to send one last request, and the accept queue to empty. */
const drainMs = 500;
const quietMs = 50;

/** Closes an HTTP server so that each client that could connect gets a response (`e2e/http/server`, `trust/http/sigterm`). */
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
      // A client that reads `Connection: close` connects again, so the accept queue would never empty: responses are held.
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

/**
 * Resolves after 50 ms without a new connection, at the latest after 500 ms. The kernel resets connections still in the accept
 * queue when the listener closes.
 */
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
