import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Notice, secretKinds } from '../../model/notice.ts';
import type { KeptData } from '../../model/reader.ts';
import { type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { ErasedRows } from './database.ts';
import { isUselessSecret } from './outbox.ts';
import type { Tables } from './tables.ts';

type Name = keyof Tables;
type Column<Table extends Name> = keyof Tables[Table] & string;
export type Condition = RawBuilder<SqlBool>;

/** The instants, as texts, before which rows have expired: by their own expiry or age, or by the owner's settings. */
export interface ExpiryBounds {
  readonly now: string;
  readonly dayAgo: string;
  readonly quarterAgo: string;
  readonly contacts: string;
  readonly mail: string;
  readonly reads: string;
}

/** Rows that hold the key of another table's row in a column, and are erased with that row. */
interface Owner<Table extends Name> {
  readonly table: Name;
  readonly column: Column<Table>;
  /** The kind of the notices, in the outbox. */
  readonly kind?: Notice['kind'];
}

/** The facts of a table: whose data it has, until when, and which part a copy, an export and a backup include. */
export interface TableFacts<Table extends Name> {
  readonly key: readonly [Column<Table>, ...Column<Table>[]];
  /** The kind of visitors' data in it; undefined if nothing is theirs. */
  readonly kept?: KeptData;
  readonly by?: readonly Column<Table>[];
  readonly owners?: readonly Owner<Table>[];
  /** Columns that may name any visitor; when one is erased, every row gets these values. */
  readonly cleared?: Partial<Tables[Table]>;
  /** Selects expired rows; `never`, or `own way` if the table's topic decides. */
  readonly expires: ((bounds: ExpiryBounds) => Condition) | 'never' | 'own way';
  /** An SQL condition on rows with a secret, which a copy and a backup leave out. */
  readonly secret?: string;
  /** Its part of a visitor's export, with the name and the order; undefined if other tables repeat it. */
  readonly exported?: {
    readonly as: string;
    readonly columns: readonly Column<Table>[];
    readonly order: Column<Table>;
  };
}

/** Every table, in the order of erasing: notices before what they report, revocations before tokens, grants before clients. */
export const registry: { readonly [Table in Name]: TableFacts<Table> } = {
  contacts: {
    key: ['id'],
    kept: 'messages',
    by: ['canonical_email', 'canonical_subject'],
    expires: ({ contacts }) => sql`received_at < ${contacts}`,
  },
  outbox: {
    key: ['id'],
    kept: 'mail',
    owners: [
      { table: 'contacts', column: 'about', kind: 'contact_request' },
      { table: 'contacts', column: 'about', kind: 'reply' },
      { table: 'issued_tokens', column: 'about', kind: 'auth_request' },
      { table: 'oauth_grants', column: 'about', kind: 'auth_request' },
      { table: 'verification_codes', column: 'about', kind: 'verification_code' },
    ],
    expires: ({ mail, now }) => sql`sent_at < ${mail} or ${isUselessSecret(now)}`,
    secret: `kind in (${secretKinds.map((kind) => `'${kind}'`).join(', ')})`,
  },
  replies: {
    key: ['id'],
    kept: 'messages',
    owners: [{ table: 'contacts', column: 'contact_id' }],
    expires: 'own way', // with the contact request
    exported: { as: 'replies', columns: ['id', 'contact_id', 'text', 'written_at'], order: 'written_at' },
  },
  idempotency_keys: {
    key: ['subject', 'key'],
    kept: 'messages',
    owners: [{ table: 'contacts', column: 'contact_id' }],
    expires: ({ dayAgo }) => sql`created_at <= ${dayAgo}`,
  },
  quota_windows: {
    key: ['key'],
    expires: ({ now }) => sql`ends_at <= ${now}`,
  },
  page_sessions: {
    key: ['hash'],
    kept: 'sessions',
    owners: [{ table: 'issued_tokens', column: 'jti' }],
    cleared: { draft: null }, // whichever address was typed
    expires: ({ now }) => sql`expires_at <= ${now}`,
    exported: {
      as: 'page_sessions',
      columns: ['jti', 'created_at', 'expires_at', 'is_remembered', 'is_token_shown', 'draft'],
      order: 'created_at',
    },
  },
  revocations: {
    key: ['sequence'],
    // Not the last one: the next revocation gets the following number, and processes have read up to there.
    expires: ({ now }) => sql`${isEndedRevocation(now)} and sequence < (select max(sequence) from revocations)`,
  },
  issued_tokens: {
    key: ['jti'],
    kept: 'tokens',
    by: ['canonical_subject'],
    // The row stays as long as its notice, because erasing the visitor finds the notice through it.
    expires: ({ now }) => sql`expires_at < ${now}
      and not exists (select 1 from outbox where kind = 'auth_request' and about = issued_tokens.jti)`,
    exported: {
      as: 'tokens',
      columns: ['jti', 'subject', 'issued_at', 'expires_at', 'grant_id', 'view'],
      order: 'issued_at',
    },
  },
  oauth_grants: {
    key: ['id'],
    kept: 'grants',
    by: ['canonical_subject'],
    // The row stays as long as its notice, as for a token, and as long as its tokens, because it names their client.
    expires: ({ now }) => sql`expires_at <= ${now}
      and not exists (select 1 from outbox where kind = 'auth_request' and about = oauth_grants.id)
      and not exists (select 1 from issued_tokens where grant_id = oauth_grants.id)`,
    exported: {
      as: 'grants',
      columns: [
        ...(['id', 'subject', 'client_id', 'client_name', 'redirect_uri', 'scope'] as const),
        ...(['created_at', 'expires_at', 'is_verified', 'is_for_mcp', 'view'] as const),
      ],
      order: 'created_at',
    },
  },
  reads: {
    key: ['id'],
    kept: 'reads',
    by: ['canonical_subject'],
    expires: ({ reads }) => sql`read_at < ${reads}`,
    exported: {
      as: 'reads',
      columns: ['jti', 'subject', 'operation', 'item', 'surface', 'client', 'read_at'],
      order: 'id',
    },
  },
  erased_reads: {
    key: ['jti'],
    kept: 'reads',
    by: ['canonical_subject'],
    expires: ({ reads }) => sql`erased_at < ${reads}`,
    exported: { as: 'erased_reads', columns: ['jti', 'subject', 'erased_at'], order: 'erased_at' },
  },
  reader_notes: {
    key: ['canonical_subject'],
    kept: 'notes',
    by: ['canonical_subject'],
    expires: 'own way',
    exported: { as: 'notes', columns: ['note', 'noted_at', 'seen_at'], order: 'noted_at' },
  },
  oauth_records: {
    key: ['id'],
    kept: 'grants',
    by: ['canonical_subject'],
    owners: [{ table: 'oauth_grants', column: 'grant_id' }],
    expires: ({ now }) => sql`expires_at <= ${now}`,
    // Without the hash of its secret.
    exported: {
      as: 'oauth_records',
      columns: ['grant_id', 'payload', 'expires_at', 'consumed_at'],
      order: 'expires_at',
    },
  },
  // Unused for a day, or for 90 days after a visitor allowed it something: a client asks for consent immediately, but programs
  // keep their id, and do not register again on their own.
  oauth_clients: {
    key: ['id'],
    expires: ({ dayAgo, quarterAgo }) => sql`registered_at < ${dayAgo} and (used_at is null or used_at < ${quarterAgo})
      and not exists (select 1 from oauth_grants where client_id = oauth_clients.id)`,
  },
  verification_codes: {
    key: ['request_id'],
    kept: 'codes',
    by: ['canonical_subject'],
    expires: ({ now }) => sql`expires_at <= ${now}`,
    secret: 'true',
    exported: { as: 'verification_codes', columns: ['tries', 'expires_at'], order: 'expires_at' },
  },
  sign_in_links: {
    key: ['hash'],
    // The path of a link may name a visitor.
    cleared: { path: '/desk' },
    // A day later: until then, a link that has expired says so.
    expires: ({ dayAgo }) => sql`expires_at <= ${dayAgo}`,
    secret: 'true',
  },
  desk_sessions: {
    key: ['hash'],
    expires: ({ now }) => sql`expires_at <= ${now}`,
    secret: 'true',
  },
  profile_changes: { key: ['part'], expires: 'never' },
  profile_versions: { key: ['id'], expires: 'own way' },
  working_copy: { key: ['id'], expires: 'never' },
  working_changes: { key: ['id'], expires: ({ dayAgo }) => sql`state = 'gone' and changed_at < ${dayAgo}` },
  proposals: { key: ['id'], expires: ({ quarterAgo }) => sql`saved_at < ${quarterAgo}` },
  // Data that came through a link is a visitor's; the link itself is the owner's.
  links: { key: ['id'], expires: ({ quarterAgo }) => sql`ended_at < ${quarterAgo}` },
  leases: { key: ['name'], expires: ({ now }) => sql`ends_at <= ${now}` },
  mail_schedules: { key: ['kind'], expires: 'never' },
  owner_events: { key: ['kind'], expires: 'never' },
};

export const tableFacts = Object.entries(registry) as readonly (readonly [Name, TableFacts<Name>])[];

export const isEndedRevocation = (now: string): Condition => sql`(kind = 'jti' and (value = ''
  or exists (select 1 from issued_tokens where jti = value and expires_at <= ${now})))`;

export function isOfVisitor(table: Name, visitor: Visitor): Condition {
  const { by = [], owners = [] } = registry[table] as TableFacts<Name>;
  const owned = owners.map((owner) => {
    const key = sql.ref(registry[owner.table].key[0]);
    return isOwned(owner, sql`select ${key} from ${sql.table(owner.table)} where ${isOfVisitor(owner.table, visitor)}`);
  });
  // Without `false or`, with which SQLite uses no index.
  const theirs = by.length > 0 || owned.length === 0 ? [isBy(by, visitor)] : [];
  return sql`(${sql.join([...theirs, ...owned], sql` or `)})`;
}

export const isBy = (columns: readonly string[], visitor: Visitor): Condition => {
  const isTheirs = columns.map((column) => sql`${sql.ref(column)} = ${visitorKeyOf(visitor)}`);
  return isTheirs.length === 0 ? sql`false` : sql`(${sql.join(isTheirs, sql` or `)})`;
};

/** Returns a condition on rows that belong to rows of another table, whose keys are a list or a query. */
const isOwned = ({ column, kind }: Owner<Name>, keys: RawBuilder<unknown>): Condition =>
  sql`${kind === undefined ? sql`` : sql`kind = ${kind} and `}${sql.ref(column)} in (${keys})`;

// An SQLite statement has at most 32,766 parameters.
const keysAtOnce = 1_000;

/** Erases rows of a table, with the rows of others that belong to them. Evaluates the condition once. */
export async function eraseRows(trx: Transaction<Tables>, table: Name, which: Condition): Promise<ErasedRows> {
  const rows = await deleteRows(trx, table, which);
  let mails = rows;
  for (const [owned, { owners = [] }] of tableFacts)
    for (const owner of owners)
      for (let from = 0; owner.table === table && from < rows.length; from += keysAtOnce) {
        const keys = sql.join(rows.slice(from, from + keysAtOnce).map(({ key }) => key));
        mails = mails.concat(await deleteRows(trx, owned, isOwned(owner, keys)));
      }
  return { count: rows.length, mails };
}

/** Returns the first column of the deleted keys, and the mails of deleted notices. */
async function deleteRows(trx: Transaction<Tables>, table: Name, which: Condition) {
  const mailId = table === 'outbox' ? sql.ref('mail_id') : sql`null`;
  const { rows } = await sql<{ key: string; mail_id: string | null }>`delete from ${sql.table(table)} where ${which}
    returning ${sql.ref(registry[table].key[0])} as key, ${mailId} as mail_id`.execute(trx);
  return rows;
}
