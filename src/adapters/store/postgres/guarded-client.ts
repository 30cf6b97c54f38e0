import type { Socket } from 'node:net';
import { DatabaseError, type PoolClient } from 'pg';
import { ConnectionFault } from './connection-fault.ts';
import { READ_ONLY_SQL_TRANSACTION } from './error-codes.ts';
import type { Limits } from './limits.ts';

interface Options {
  readonly limits: Limits;
  readonly onAnswer: () => void;
  /** Called with the time of the statement, of `performance.now()`, if the connection did not answer or was lost. */
  readonly onLost: (sentAt: number) => void;
  /** Called if the server refused to write, because the session or the server is read-only. */
  readonly onReadOnly: () => void;
}

/**
 * Returns a client whose transactions have limits, and which is destroyed instead of given back once its connection was lost or did not
 * answer: `pg` would give such a client out again, and queue all later statements behind the one without an answer.
 */
export function guard(client: PoolClient, { limits, onAnswer, onLost, onReadOnly }: Options): PoolClient {
  let fault: ConnectionFault | undefined;

  async function query(text: string, values?: readonly unknown[]): Promise<unknown> {
    if (fault !== undefined) throw fault; // such as the rollback after it, which would wait as long
    const sentAt = performance.now();
    try {
      const result = beginsTransaction.test(text)
        ? await beginWithLimits(client, text, limits)
        : await client.query(text, values as unknown[]);
      onAnswer();
      return result;
    } catch (error) {
      if (error instanceof TypeError) throw error; // a value that cannot be sent
      redactRows(error);
      const isAnswer = error instanceof DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
      if (isAnswer) onAnswer();
      if (isAnswer && error.code === READ_ONLY_SQL_TRANSACTION) onReadOnly();
      if (isAnswer) throw error;
      onLost(sentAt);
      fault = new ConnectionFault('the connection to the database was lost', error);
      throw fault;
    }
  }

  const release = () => (fault === undefined ? client.release() : destroy(client));
  return { query, release } as unknown as PoolClient;
}

const beginsTransaction = /^(?:begin|start transaction)\b/;

// With the transaction, because PgBouncer refuses them as parameters of the connection, and because what is set for a session stays
// with the connection that PgBouncer gives to another client next.
async function beginWithLimits(client: PoolClient, begin: string, limits: Limits): Promise<unknown> {
  const { lock_timeout, statement_timeout, idle_in_transaction_session_timeout } = limits;
  const settings = Object.entries({ lock_timeout, statement_timeout, idle_in_transaction_session_timeout });
  const statements = [begin, ...settings.map(([name, value]) => `set local ${name} = ${Math.round(value)}`)];
  const results = (await client.query(statements.join('; '))) as unknown as readonly unknown[];
  return results[0];
}

/** Removes a client from its pool, and closes its socket without waiting for the other side. */
export function destroy(client: PoolClient): void {
  client.release(true);
  socketOf(client).destroy();
}

export const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Removes from an error of the server what it quotes of rows, which are visitors' data. */
function redactRows(error: unknown): void {
  if (!(error instanceof DatabaseError)) return;
  for (const name of ['detail', 'where', 'hint', 'internalQuery'] as const) delete error[name];
  const { code = '', message, stack = '' } = error;
  // Messages of these classes quote a value: of a column whose type was altered, or by a trigger that somebody added.
  if (!['22', 'P0'].includes(code.slice(0, 2))) return;
  error.message = `the server refused a value (SQLSTATE ${code})`;
  error.stack = stack.replace(message, () => error.message);
}
