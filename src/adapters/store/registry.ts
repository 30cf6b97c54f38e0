import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Notice, secretKinds } from '../../model/notice.ts';
import type { KeptData } from '../../model/reader.ts';
import { type Visitor, visitorKeyOf } from '../../model/visitor.ts';
import type { ErasedRows } from './database.ts';
import type { Tables } from './tables.ts';

type Name = keyof Tables;
type Column<Table extends Name> = keyof Tables[Table] & string;
type Condition = RawBuilder<SqlBool>;

/** The instants, as texts, before which rows have expired: by their own expiry or age, or by what the owner has set. */
export interface ExpiryBounds {
  readonly now: string;
  readonly dayAgo: string;
  readonly quarterAgo: string;
  readonly contacts: string;
  readonly mail: string;
  readonly reads: string;
}

/** Rows belong to the row of another table whose key they hold in a column, and are erased with it. */
interface Owner<Table extends Name> {
  readonly table: Name;
  readonly column: Column<Table>;
  /** The kind of the notices, in the outbox. */
  readonly kind?: Notice['kind'];
}

/** Columns that may name any visitor, and are set to these values in every row when one is erased. */
type Cleared<Table extends Name> = Partial<Tables[Table]>;

/** Whose data a table holds, until when, and what a copy, an export and a backup take of it. */
export interface TableFacts<Table extends Name> {
  /** The primary key. */
  readonly key: readonly [Column<Table>, ...Column<Table>[]];
  /** Null if it holds nothing of visitors; otherwise deleted rows are scrubbed from the files of the database, too. */
  readonly visitors:
    | null
    | {
        readonly kept: KeptData;
        /** The columns with the key of a visitor. */
        readonly by: readonly Column<Table>[];
        readonly owners: readonly Owner<Table>[];
        readonly cleared?: Cleared<Table>;
      }
    | { readonly cleared: Cleared<Table> };
  /** Selects what has expired; `never`, or `own way` if the topic of the table says so. */
  readonly expires: ((bounds: ExpiryBounds) => Condition) | 'never' | 'own way';
  /** A condition in SQL on rows with a secret, which a copy and a backup leave out; null if no row has one. */
  readonly secret: string | null;
  /** Its part of the export of a visitor, with the name and the order; null if others repeat it. */
  readonly exported: null | {
    readonly as: string;
    readonly columns: readonly Column<Table>[];
    readonly order: Column<Table>;
  };
}

/** Selects mails in the outbox whose link or code was used, was ended or has expired. */
export const isUselessSecret = (now: string): Condition =>
  sql`(kind = 'sign_in' and about not in (select hash from sign_in_links where used_at is null and expires_at > ${now})
    or kind = 'verification_code' and about not in (select request_id from verification_codes where expires_at > ${now}))`;

/** Of a table of the owner's own, without a secret. */
const ownersOwn = { visitors: null, secret: null, exported: null } as const;

/** Every table, in the order of erasing expired rows: a notice before what it reports, a grant before its client. */
export const registry: { readonly [Table in Name]: TableFacts<Table> } = {
  contacts: {
    key: ['id'],
    visitors: { kept: 'messages', by: ['canonical_email', 'canonical_subject'], owners: [] },
    expires: ({ contacts }) => sql`received_at < ${contacts}`,
    secret: null,
    exported: null, // by `contacts.list`
  },
  outbox: {
    key: ['id'],
    visitors: {
      kept: 'mail',
      by: [],
      owners: [
        { table: 'contacts', column: 'about', kind: 'contact_request' },
        { table: 'contacts', column: 'about', kind: 'reply' },
        { table: 'issued_tokens', column: 'about', kind: 'auth_request' },
        { table: 'oauth_grants', column: 'about', kind: 'auth_request' },
        { table: 'verification_codes', column: 'about', kind: 'verification_code' },
      ],
    },
    expires: ({ mail, now }) => sql`sent_at < ${mail} or ${isUselessSecret(now)}`,
    secret: `kind in (${secretKinds.map((kind) => `'${kind}'`).join(', ')})`,
    exported: null,
  },
  replies: {
    key: ['id'],
    visitors: { kept: 'messages', by: [], owners: [{ table: 'contacts', column: 'contact_id' }] },
    expires: 'own way', // with the contact request
    secret: null,
    exported: { as: 'replies', columns: ['id', 'contact_id', 'text', 'written_at'], order: 'written_at' },
  },
  idempotency_keys: {
    key: ['subject', 'key'],
    visitors: { kept: 'messages', by: [], owners: [{ table: 'contacts', column: 'contact_id' }] },
    expires: ({ dayAgo }) => sql`created_at <= ${dayAgo}`,
    secret: null,
    exported: null,
  },
  quota_windows: {
    key: ['key'],
    visitors: null,
    expires: ({ now }) => sql`ends_at <= ${now}`,
    secret: null,
    exported: null,
  },
  page_sessions: {
    key: ['hash'],
    visitors: {
      kept: 'sessions',
      by: [],
      owners: [{ table: 'issued_tokens', column: 'jti' }],
      // A draft has whichever address was typed.
      cleared: { draft: null },
    },
    expires: ({ now }) => sql`expires_at <= ${now}`,
    // Only a hash of the cookie is stored, and a restored backup ends no session.
    secret: null,
    exported: {
      as: 'page_sessions',
      columns: ['jti', 'created_at', 'expires_at', 'is_remembered', 'is_token_shown', 'draft'],
      order: 'created_at',
    },
  },
  issued_tokens: {
    key: ['jti'],
    visitors: { kept: 'tokens', by: ['canonical_subject'], owners: [] },
    expires: 'own way',
    secret: null,
    exported: {
      as: 'tokens',
      columns: ['jti', 'subject', 'issued_at', 'expires_at', 'grant_id', 'view'],
      order: 'issued_at',
    },
  },
  oauth_grants: {
    key: ['id'],
    visitors: { kept: 'grants', by: ['canonical_subject'], owners: [] },
    // As that of a token, the row stays while its notice does; and while its tokens do, whose client it names.
    expires: ({ now }) => sql`expires_at <= ${now}
      and not exists (select 1 from outbox where kind = 'auth_request' and about = oauth_grants.id)
      and not exists (select 1 from issued_tokens where grant_id = oauth_grants.id)`,
    secret: null,
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
    visitors: { kept: 'reads', by: ['canonical_subject'], owners: [] },
    expires: ({ reads }) => sql`read_at < ${reads}`,
    secret: null,
    exported: {
      as: 'reads',
      columns: ['jti', 'subject', 'operation', 'item', 'surface', 'client', 'read_at'],
      order: 'id',
    },
  },
  erased_reads: {
    key: ['jti'],
    visitors: { kept: 'reads', by: ['canonical_subject'], owners: [] },
    expires: ({ reads }) => sql`erased_at < ${reads}`,
    secret: null,
    exported: { as: 'erased_reads', columns: ['jti', 'subject', 'erased_at'], order: 'erased_at' },
  },
  reader_notes: {
    key: ['canonical_subject'],
    visitors: { kept: 'notes', by: ['canonical_subject'], owners: [] },
    expires: 'own way',
    secret: null,
    exported: { as: 'notes', columns: ['note', 'noted_at', 'seen_at'], order: 'noted_at' },
  },
  revocations: {
    key: ['sequence'],
    visitors: null,
    // Not the last one, because the next one gets the number after it: a process has read up to there.
    expires: ({ now }) => sql`${isEndedRevocation(now)} and sequence < (select max(sequence) from revocations)`,
    secret: null,
    exported: null,
  },
  oauth_records: {
    key: ['id'],
    visitors: { kept: 'grants', by: ['canonical_subject'], owners: [{ table: 'oauth_grants', column: 'grant_id' }] },
    expires: ({ now }) => sql`expires_at <= ${now}`,
    // Without the hash of its secret.
    secret: null,
    exported: {
      as: 'oauth_records',
      columns: ['grant_id', 'payload', 'expires_at', 'consumed_at'],
      order: 'expires_at',
    },
  },
  // Unused for a day, or for 90 days after a visitor allowed it something: a client asks for consent at once, but
  // programs keep their id, and do not register again by themselves.
  oauth_clients: {
    key: ['id'],
    visitors: null,
    expires: ({ dayAgo, quarterAgo }) => sql`registered_at < ${dayAgo} and (used_at is null or used_at < ${quarterAgo})
      and not exists (select 1 from oauth_grants where client_id = oauth_clients.id)`,
    secret: null,
    exported: null,
  },
  verification_codes: {
    key: ['request_id'],
    visitors: { kept: 'codes', by: ['canonical_subject'], owners: [] },
    expires: ({ now }) => sql`expires_at <= ${now}`,
    secret: 'true',
    exported: { as: 'verification_codes', columns: ['tries', 'expires_at'], order: 'expires_at' },
  },
  sign_in_links: {
    key: ['hash'],
    // The page of the desk that a link leads to may name a visitor.
    visitors: { cleared: { path: '/desk' } },
    // A day later: until then, a link that has expired says so.
    expires: ({ dayAgo }) => sql`expires_at <= ${dayAgo}`,
    secret: 'true',
    exported: null,
  },
  desk_sessions: {
    key: ['hash'],
    visitors: null,
    expires: ({ now }) => sql`expires_at <= ${now}`,
    secret: 'true',
    exported: null,
  },
  profile_changes: { ...ownersOwn, key: ['part'], expires: 'never' },
  profile_versions: { ...ownersOwn, key: ['id'], expires: 'own way' },
  profile_drafts: { ...ownersOwn, key: ['id'], expires: ({ quarterAgo }) => sql`saved_at < ${quarterAgo}` },
  // What came through one is a visitor's; the link itself is the owner's.
  links: { ...ownersOwn, key: ['id'], expires: ({ quarterAgo }) => sql`ended_at < ${quarterAgo}` },
  leases: { ...ownersOwn, key: ['name'], expires: ({ now }) => sql`ends_at <= ${now}` },
  mail_schedules: { ...ownersOwn, key: ['kind'], expires: 'never' },
  owner_events: { ...ownersOwn, key: ['kind'], expires: 'never' },
};

/** The facts of every table, by its name. */
export const tableFacts = Object.entries(registry) as readonly (readonly [Name, TableFacts<Name>])[];

/** Whether a revocation is of a token that has expired. */
export const isEndedRevocation = (now: string): Condition => sql`(kind = 'jti' and (value = ''
  or exists (select 1 from issued_tokens where jti = value and expires_at <= ${now})))`;

/** Returns a condition on the rows of a table that are of a visitor. */
export function isOfVisitor(table: Name, visitor: Visitor): Condition {
  const { visitors } = registry[table] as TableFacts<Name>;
  if (visitors === null || !('kept' in visitors)) return sql`false`;
  const owned = visitors.owners.map((owner) => {
    const key = sql.ref(registry[owner.table].key[0]);
    return isOwned(owner, sql`select ${key} from ${sql.table(owner.table)} where ${isOfVisitor(owner.table, visitor)}`);
  });
  const own = visitors.by.length === 0 ? [] : [isBy(visitors.by, visitor)];
  return sql`(${sql.join([...own, ...owned], sql` or `)})`;
}

/** Returns a condition on rows that have the key of a visitor in one of the columns. */
export const isBy = (columns: readonly string[], visitor: Visitor): Condition =>
  sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${visitorKeyOf(visitor)}`),
    sql` or `,
  )})`;

/** Returns a condition on rows that belong to rows of another table, whose keys are a list or a query. */
const isOwned = ({ column, kind }: Owner<Name>, keys: RawBuilder<unknown>): Condition =>
  sql`${kind === undefined ? sql`` : sql`kind = ${kind} and `}${sql.ref(column)} in (${keys})`;

// A statement of SQLite has 32,766 parameters at most.
const keysAtOnce = 1_000;

/** Erases rows of a table, with the rows of others that belong to them. Evaluates the condition once. */
export async function eraseRows(trx: Transaction<Tables>, table: Name, which: Condition): Promise<ErasedRows> {
  const rows = await deleteRows(trx, table, which);
  let mails = rows;
  for (const [owned, { visitors }] of tableFacts)
    for (const owner of visitors !== null && 'owners' in visitors ? visitors.owners : [])
      for (let from = 0; owner.table === table && from < rows.length; from += keysAtOnce) {
        const keys = sql.join(rows.slice(from, from + keysAtOnce).map(({ key }) => key));
        mails = mails.concat(await deleteRows(trx, owned, isOwned(owner, keys)));
      }
  return { count: rows.length, mails };
}

/** Returns the first column of their keys, and the mails of notices. */
async function deleteRows(trx: Transaction<Tables>, table: Name, which: Condition) {
  const mailId = table === 'outbox' ? sql.ref('mail_id') : sql`null`;
  const { rows } = await sql<{ key: string; mail_id: string | null }>`delete from ${sql.table(table)} where ${which}
    returning ${sql.ref(registry[table].key[0])} as key, ${mailId} as mail_id`.execute(trx);
  return rows;
}
