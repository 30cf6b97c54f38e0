/** Times in milliseconds; 0 is none. */
export interface Limits {
  readonly max: number;
  /** How long a connection is waited for: a free one of the pool, or a new one. */
  readonly connectionTimeoutMillis: number;
  readonly lock_timeout: number;
  readonly statement_timeout: number;
  /** How long the answer to a statement is waited for; over a broken network it never arrives. */
  readonly query_timeout: number;
  /** After this the server ends a transaction, and gives back its locks, if its process is gone or cut off. */
  readonly idle_in_transaction_session_timeout: number;
}

/** Returns limits that end work within 1.5 times as long as it may wait for a lock. */
export const limitsOf = (lockWaitMilliseconds: number): Limits => ({
  max: 10,
  connectionTimeoutMillis: lockWaitMilliseconds,
  lock_timeout: lockWaitMilliseconds,
  statement_timeout: 1.2 * lockWaitMilliseconds,
  query_timeout: 1.5 * lockWaitMilliseconds,
  idle_in_transaction_session_timeout: 2 * lockWaitMilliseconds,
});
