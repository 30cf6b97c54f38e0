import { toCanonicalAddress } from 'resume-profile/email-address';
import { rowsOf } from './database.ts';

/** A read to store: what was read when, by whom and with what. */
export interface StoredRead {
  readonly subject: string;
  readonly operation: string;
  readonly at: Date;
  readonly item?: string;
  readonly client?: string;
  readonly jti?: string;
  /** REST if not given. */
  readonly surface?: string;
}

/** Stores reads in a database as if visitors had read. */
export function storeReads(path: string, reads: readonly StoredRead[]): void {
  const quote = (value: string | null) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`);
  const rows = reads.map(({ subject, operation, at, item = null, client = null, jti = 'j1', surface = 'rest' }) =>
    [jti, subject, toCanonicalAddress(subject), operation, item, surface, client, at.toISOString()].map(quote),
  );
  rowsOf(
    path,
    `insert into reads (jti, subject, canonical_subject, operation, item, surface, client, read_at)
     values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
  );
}
