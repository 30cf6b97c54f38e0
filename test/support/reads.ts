import { DatabaseSync } from 'node:sqlite';
import { toCanonicalAddress } from '../../src/model/email-address.ts';

/** A read to store: what was read when, by whom and with what. */
export interface StoredRead {
  readonly subject: string;
  readonly operation: string;
  readonly at: Date;
  readonly item?: string;
  readonly client?: string;
  readonly jti?: string;
}

/** Stores reads in a database as if visitors had read. */
export function storeReads(path: string, reads: readonly StoredRead[]): void {
  using database = new DatabaseSync(path, { timeout: 5_000 });
  const insert = database.prepare(
    `insert into reads (jti, subject, canonical_subject, operation, item, surface, client, read_at)
     values (?, ?, ?, ?, ?, 'rest', ?, ?)`,
  );
  database.exec('begin');
  for (const { subject, operation, at, item = null, client = null, jti = 'j1' } of reads)
    insert.run(jti, subject, toCanonicalAddress(subject), operation, item, client, at.toISOString());
  database.exec('commit');
}
