import { DatabaseError } from 'pg';
import { ConnectionFault, poolBusy } from './connection-fault.ts';

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
 * Connection exceptions, wrong passwords, a missing database, full disks, an operator's intervention (statement timeouts among them),
 * system and internal errors.
 */
const unavailableClasses = new Set(['08', '28', '3D', '53', '57', '58', 'XX']);

const locked = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE]);

const unavailable = new Set([READ_ONLY_SQL_TRANSACTION, IDLE_IN_TRANSACTION_SESSION_TIMEOUT, INSUFFICIENT_PRIVILEGE]);

/** Whether another connection holds a lock that the transaction needed, or the two waited for each other. */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && locked.has(error.code ?? '');

const partial = new Set([...locked, QUERY_CANCELED, INSUFFICIENT_PRIVILEGE, TOO_MANY_CONNECTIONS, poolBusy]);

/** Whether the error may concern this work alone: a lock, a slow statement, a right that the role lacks, too many at once. */
export const mayBePartial = (error: unknown): boolean =>
  (error instanceof ConnectionFault || error instanceof DatabaseError) && partial.has(error.code ?? '');

/** Whether the error says that the database cannot be used at the moment, and not that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionFault) return true;
  if (!(error instanceof DatabaseError)) return false;
  const { code = '' } = error;
  return isLocked(error) || unavailable.has(code) || unavailableClasses.has(code.slice(0, 2));
}
