import { registry } from './registry.ts';

/** A summary of a database of this program: numbers of rows, size and the newest row. */
export interface Contents {
  readonly contacts: number;
  readonly tokens: number;
  readonly revocations: number;
  /** Notices still to be sent; `retried` counts those whose last attempt failed. */
  readonly waiting: number;
  readonly retried: number;
  readonly dead: number;
  readonly bytes: number;
  /** When the newest row was created; null in an empty database. */
  readonly newestAt: Date | null;
}

/** Returns SQL that summarizes a database; `size` is a query for its size in bytes, which differs between databases. */
export const contentsQuery = (size: string): string => `select
  (select count(*) from contacts) as contacts,
  (select count(*) from issued_tokens) as tokens,
  (select count(*) from revocations) as revocations,
  (select count(*) from outbox where due_at is not null and not (${registry.outbox.secret})) as waiting,
  (select count(*) from outbox where due_at is not null and last_error is not null and not (${registry.outbox.secret})) as retried,
  (select count(*) from outbox where due_at is null and sent_at is null) as dead,
  (${size}) as bytes,
  (select max(at) from (
    select max(received_at) as at from contacts
    union all select max(issued_at) from issued_tokens
    union all select max(created_at) from outbox
  ) as newest) as newest_at`;

export function toContents(row: unknown): Contents {
  const { newest_at, ...counts } = row as Omit<Contents, 'newestAt'> & { newest_at: string | null };
  return { ...counts, newestAt: newest_at === null ? null : new Date(newest_at) };
}
