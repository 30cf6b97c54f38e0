import { DatabaseError } from 'pg';

/** Thrown if a connection fails, is lost or does not answer, or the server cannot hold the store; the message is one line without password. */
export class ConnectionFault extends Error {
  readonly isBusy: boolean;
  /** The code of the driver's or the server's error. */
  readonly code: string | undefined;

  // Without its cause, which would repeat the message in a log that gets a line for each refused request.
  constructor(
    message: string,
    { cause, isBusy = false }: { readonly cause?: unknown; readonly isBusy?: boolean } = {},
  ) {
    // If a host has several addresses and none answers, the error itself has no message.
    const error = (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException | undefined;
    super(error === undefined ? message : `${message}: ${error.message.replace(/\s+/g, ' ').trim()}`);
    this.isBusy = isBusy;
    this.code = error?.code;
  }
}

// SQLSTATE codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
export const READ_ONLY_SQL_TRANSACTION = '25006';
const QUERY_CANCELED = '57014';
const TOO_MANY_CONNECTIONS = '53300';
const IDLE_IN_TRANSACTION_SESSION_TIMEOUT = '25P03';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Connections, passwords, a missing database, full disks, intervention (also timeouts), system and internal errors. */
const unavailableClasses = new Set(['08', '28', '3D', '53', '57', '58', 'XX']);
const unavailable = new Set([READ_ONLY_SQL_TRANSACTION, IDLE_IN_TRANSACTION_SESSION_TIMEOUT, INSUFFICIENT_PRIVILEGE]);
const locked = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE]);
const partial = new Set([...locked, QUERY_CANCELED, INSUFFICIENT_PRIVILEGE, TOO_MANY_CONNECTIONS]);

/** Whether another connection holds a lock that the transaction needed, or the two waited for each other. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && locked.has(error.code ?? '');

/** Whether the error may concern only this work: a lock, a slow statement, a missing right, too many connections. */
export const mayBePartial = (error: unknown): boolean =>
  (error instanceof ConnectionFault && (error.isBusy || partial.has(error.code ?? ''))) ||
  (error instanceof DatabaseError && partial.has(error.code ?? ''));

/** Whether the error means that the database cannot be used at the moment, not that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionFault) return true;
  if (!(error instanceof DatabaseError)) return false;
  const { code = '' } = error;
  return isLocked(error) || unavailable.has(code) || unavailableClasses.has(code.slice(0, 2));
}

/** Removes quoted row data, which belongs to visitors, from a server error. */
export function redactRows(error: DatabaseError): DatabaseError {
  for (const name of ['detail', 'where', 'hint', 'internalQuery'] as const) delete error[name];
  const { code = '', message, stack = '' } = error;
  // Messages of these classes quote a value, after a column's type was altered, or from a trigger that somebody added.
  if (!['22', 'P0'].includes(code.slice(0, 2))) return error;
  error.message = `the server refused a value (SQLSTATE ${code})`;
  error.stack = stack.replace(message, () => error.message);
  return error;
}
