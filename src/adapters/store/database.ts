import { setTimeout as pause } from 'node:timers/promises';
import type {
  Dialect,
  Expression,
  Kysely,
  QueryExecutorProvider,
  RawBuilder,
  SelectQueryBuilder,
  Transaction,
} from 'kysely';
import { toVisitorText, type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { Tables } from './tables.ts';

/** A database that can hold the store: the part in which SQLite and PostgreSQL differ. */
export interface Database {
  readonly dialect: Dialect;
  /** Whether another connection holds a lock that the work needed, so that it can be retried. */
  isLocked(error: unknown): boolean;
  /** Whether the error means that the database cannot be used at the moment, not that a statement is wrong. */
  isUnavailable(error: unknown): boolean;
  /** Whether other work may still succeed, for example while one table is locked or all connections are in use. */
  mayBePartial(error: unknown): boolean;
  /** Runs `migrate` without the usual time limits, once the database is up. Throws one line that names it. */
  migrate(db: Kysely<Tables>, migrate: (db: Kysely<Tables>) => Promise<void>): Promise<void>;
  /** Returns a function that runs transactions; each waits for another process's lock for at most that time. */
  openWrite(db: Kysely<Tables>, lockWaitMilliseconds: number): Write;
  /** Reads the clock that all processes on the database share: the server's, or on SQLite this machine's. */
  readClock(db: Kysely<Tables>): Promise<Date>;
  /** Reads a value that changes with each commit: immediately for other processes, for this one before it is acknowledged. */
  readVersion(db: Kysely<Tables>): Promise<string>;
  /** Locks names until the transaction ends, after waiting for other holders; `names` selects a column `name`. */
  lockNames(trx: Transaction<Tables>, names: RawBuilder<unknown>): Promise<void>;
  probeWrite(trx: Transaction<Tables>): Promise<void>;
  readonly replicas: Replicas;
  /** Rewrites the storage of deleted rows, so that their bytes are gone. Throws `ScrubFault` if a step fails. */
  scrub(db: QueryExecutorProvider): Promise<void>;
  lowerCase(text: Expression<string>): RawBuilder<string>;
  /** Binds values as one JSON array, so that the statement is the same for any number of rows. */
  toJson(values: readonly unknown[]): RawBuilder<unknown>;
  /** Returns the elements of a JSON array as a table with the column `value`. */
  elementsOf(array: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** The processes that serve from one database, and may each have a file of the profile. */
export interface Replicas {
  /** Counts this process as a replica until `close`; resolves when others see it, or in time. Calls `onMet` if there are. */
  join(onMet: () => Promise<void>): Promise<void>;
  /** Runs work while no other process can join; returns null, or the reason why it was not run, in words after "because". */
  whileAlone(work: () => Promise<void>): Promise<string | null>;
  close(): Promise<void>;
}

/** Runs queries that only read, outside of a transaction; runs them again if another process locks the database. */
export type Read = <Result>(queries: (db: Kysely<Tables>) => Promise<Result>) => Promise<Result>;

/** Runs the work as one transaction, durable once the promise resolves. The work uses its `trx` and nothing else. */
export type Write = <Result>(
  work: (trx: Transaction<Tables>) => Promise<Result>,
  options?: WriteOptions,
) => Promise<Result>;

export interface Access {
  readonly database: Database;
  readonly read: Read;
  /** Wakes the sender after the commit of work that has queued mail. */
  readonly write: Write;
  change(toStatement: (trx: Transaction<Tables>) => { execute(): Promise<unknown> }): Promise<void>;
}

export interface WriteOptions {
  /** No other work runs at the same time, in any process: each piece of work sees all earlier commits. */
  readonly isExclusive?: boolean;
}

/** For work that sees all earlier commits; other work does not wait for one of the many rows that it locks. */
export const exclusively: WriteOptions = { isExclusive: true };

export async function countOf<Table extends keyof Tables>(query: SelectQueryBuilder<Tables, Table, object>) {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

export const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

export const toSubjectColumns = (visitor: Visitor) => ({
  subject: toVisitorText(visitor),
  canonical_subject: visitorKeyOf(visitor),
});

/** The number of erased rows, and the ids of the mails that reported them. */
export interface ErasedRows {
  readonly count: number;
  readonly mails: readonly { readonly mail_id: string | null }[];
}

/** Thrown if bytes of deleted rows are left; the one-line message says where, and what to do. */
export class ScrubFault extends Error {}

const longestPauseMilliseconds = 20;

/** Waits before the next try: exponential backoff, at most 20 ms, minus a jitter of up to half. */
export const backOff = (tries: number): Promise<void> =>
  pause(Math.min(2 ** tries, longestPauseMilliseconds) * (1 - Math.random() / 2));

/** Retries temporary errors for `milliseconds`, not inside a transaction: on SQLite, other queries would wait for it. */
export async function retryWhile<Result>(
  isTemporary: (error: unknown) => boolean,
  milliseconds: number,
  work: () => Promise<Result>,
  wait: (tries: number, error: unknown) => Promise<void> = backOff,
): Promise<Result> {
  const deadline = performance.now() + milliseconds;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || performance.now() >= deadline) throw error;
      await wait(tries, error);
    }
  }
}
