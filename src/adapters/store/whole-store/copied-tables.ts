import type { Tables } from '../tables.ts';

/** How a table is copied to another database. */
export interface CopiedTable {
  /** Its primary key, in whose order rows are read and compared. */
  readonly key: readonly [string, ...string[]];
  /** Which rows are copied, as a condition in SQL; all if it is not given. */
  readonly where?: string;
}

const nothing = 'false';

/** Each table of the store. Sessions at the desk, links to sign in and codes are left out, as in a backup. */
export const copiedTables: Record<keyof Tables, CopiedTable> = {
  contacts: { key: ['id'] },
  issued_tokens: { key: ['jti'] },
  revocations: { key: ['sequence'] },
  idempotency_keys: { key: ['subject', 'key'] },
  quota_windows: { key: ['key'] },
  profile_changes: { key: ['part'] },
  reads: { key: ['id'] },
  erased_reads: { key: ['jti'] },
  reader_notes: { key: ['canonical_subject'] },
  sign_in_links: { key: ['hash'], where: nothing },
  desk_sessions: { key: ['hash'], where: nothing },
  owner_events: { key: ['kind'] },
  oauth_clients: { key: ['id'] },
  oauth_grants: { key: ['id'] },
  oauth_records: { key: ['id'] },
  verification_codes: { key: ['request_id'], where: nothing },
  outbox: { key: ['id'], where: "kind not in ('sign_in', 'verification_code')" },
};
