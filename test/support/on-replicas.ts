import './on-postgres.ts';
import { useOtherServices } from './in-process.ts';
import { startReplicas } from './replicas.ts';

// Imported before files of tests, it sends their requests to two replicas in turn. The service of the test's own process is a
// third one on the same database.

let sent = 0;

/** How many requests the tests have sent so far. */
export const requestsSent = (): number => sent;

/** The headers that a service in this process does not send: of the connection, and the same in every answer. */
const addedByServer = new Set([
  ...['connection', 'date', 'keep-alive', 'transfer-encoding'],
  ...['referrer-policy', 'x-content-type-options', 'x-request-id'],
]);

useOtherServices(async ({ DATABASE_URL, DATA_DIR, ...env }) => {
  const started: (() => void | Promise<void>)[] = [];
  const { url } = await startReplicas({ after: (clean) => void started.push(clean) }, DATABASE_URL!, { env });
  return {
    async send(request) {
      sent += 1;
      const { pathname, search } = new URL(request.url);
      const { body, status, headers } = await fetch(new Request(url + pathname + search, request));
      return new Response(body, { status, headers: [...headers].filter(([name]) => !addedByServer.has(name)) });
    },
    async close() {
      for (const clean of started.reverse()) await clean();
    },
  };
});
