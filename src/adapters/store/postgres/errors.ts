import { DatabaseError } from 'pg';

/** Thrown if a connection fails, is lost or does not answer; the message is one line without password. */
export class ConnectionFault extends Error {
  /** The code of the driver's or the server's error. */
  readonly code: string | undefined;

  // Not with its cause, which says the same in a log that gets a line for each refused request.
  constructor(message: string, error: unknown) {
    super(`${message}: ${reasonOf(error)}`);
    const { code } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
    this.code = code;
  }
}

/** The code of the fault if no connection of the pool became free in time. */
export const poolBusy = 'POOL_BUSY';

const untrusted =
  'its certificate is not signed by an authority that is trusted: name the file of its authority in sslrootcert';

/** Messages for errors of the driver whose own message is unclear or empty, by code. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOENT: 'the socket does not exist',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Returns why a database cannot be used, in one line. */
export function reasonOf(error: unknown): string {
  // A host with several addresses, of which none answers: its own message is empty.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (Object.hasOwn(reasons, code)) return reasons[code]!;
  if (/timeout/i.test(message) && code === '') return 'it does not answer';
  if (/does not support SSL/.test(message)) return 'the server does not offer TLS, which sslmode asks for';
  if (/client password must be/.test(message)) return 'it asks for a password, and none is set';
  if (/unsupported startup parameter/.test(message))
    return `${message}: put it in ignore_startup_parameters of PgBouncer, or leave it out of the address`;
  return message.replace(/\s+/g, ' ').trim();
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

/**
 * Connection exceptions, wrong passwords, a missing database, full disks, an operator's intervention (statement
 * timeouts among them), system and internal errors.
 */
const unavailableClasses = new Set(['08', '28', '3D', '53', '57', '58', 'XX']);

const locked = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE]);

const unavailable = new Set([READ_ONLY_SQL_TRANSACTION, IDLE_IN_TRANSACTION_SESSION_TIMEOUT, INSUFFICIENT_PRIVILEGE]);

/** Whether another connection holds a lock that the transaction needed, or the two waited for each other. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && locked.has(error.code ?? '');

const partial = new Set([...locked, QUERY_CANCELED, INSUFFICIENT_PRIVILEGE, TOO_MANY_CONNECTIONS, poolBusy]);

/** Whether the error may concern this work alone: a lock, a slow statement, a missing right, too many at once. */
export const mayBePartial = (error: unknown): boolean =>
  (error instanceof ConnectionFault || error instanceof DatabaseError) && partial.has(error.code ?? '');

/** Whether the error says that the database cannot be used at the moment, and not that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionFault) return true;
  if (!(error instanceof DatabaseError)) return false;
  const { code = '' } = error;
  return isLocked(error) || unavailable.has(code) || unavailableClasses.has(code.slice(0, 2));
}
