import { type MessagePort, workerData } from 'node:worker_threads';
import { runSql } from './postgres.ts';

// The thread in which `rowsOf` of database.ts runs a query, while the thread of the tests waits.
const { port, done } = workerData as { port: MessagePort; done: Int32Array };

port.on('message', async ([url, sql]: [string, string]) => {
  const answer = await runSql(url, sql).then(
    (rows) => ({ rows }),
    (error: Error) => ({ error: error.message }),
  );
  port.postMessage(answer);
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});
