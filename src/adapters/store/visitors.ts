import { sql } from 'kysely';
import type { Visitor } from '../../model/visitor.ts';
import { type Access, countOf, type ErasedRows, exclusively } from './database.ts';
import { eraseRows, isBy, isOfVisitor, tableFacts } from './registry.ts';
import type { Tables } from './tables.ts';

/** The number of erased rows, and the ids of the mails that reported them, for `removeMailFiles`. */
export interface Erased extends Readonly<Record<keyof typeof counted, number>> {
  readonly mails: readonly string[];
}

/** The tables whose rows are counted, by the names of their counts. */
const counted = {
  contacts: 'contacts',
  tokens: 'issued_tokens',
  grants: 'oauth_grants',
  reads: 'reads',
  notes: 'reader_notes',
} as const;

/** The data of visitors, as the owner lists and erases it. `scrub` removes the bytes of deleted rows from the files. */
export function visitorsOf({ read, write }: Access) {
  return {
    /** Returns the data of a visitor except contact requests, the oldest first, without secrets, also of pending requests. */
    traces: (visitor: Visitor): Promise<Traces> =>
      read(async (db) => {
        const traces: Partial<Record<string, readonly Record<string, unknown>[]>> = {};
        for (const [table, { exported }] of tableFacts) {
          if (exported === undefined) continue;
          const columns = sql.join(exported.columns.map((column) => sql.ref(column)));
          const { rows } = await sql<Record<string, unknown>>`
            select ${columns} from ${sql.table(table)}
            where ${isOfVisitor(table, visitor)} order by ${sql.ref(exported.order)}`.execute(db);
          traces[exported.as] = rows.map(toShown);
        }
        return traces as unknown as Traces;
      }),

    /** Returns the number of rows that `erase` would erase. */
    count: (visitor: Visitor): Promise<Omit<Erased, 'mails'>> =>
      read(async (db) => {
        const counts: Partial<Record<string, number>> = {};
        for (const [name, table] of Object.entries(counted))
          counts[name] = await countOf(db.selectFrom(table).where(isOfVisitor(table, visitor)));
        return counts as Record<keyof typeof counted, number>;
      }),

    /** Erases all that a visitor has caused, with its notices, and the owner's note. */
    erase: (visitor: Visitor): Promise<Erased> =>
      write(async (trx) => {
        const erased: Partial<Record<keyof Tables, ErasedRows>> = {};
        for (const [table, { by, cleared = {} }] of tableFacts) {
          for (const [column, value] of Object.entries(cleared))
            await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
              where ${sql.ref(column)} is distinct from ${value}`.execute(trx);
          // The others are erased with the rows that they belong to.
          if (by !== undefined) erased[table] = await eraseRows(trx, table, isBy(by, visitor));
        }
        return toErased(erased);
      }, exclusively),

    eraseContact: (id: string): Promise<Erased> =>
      write(async (trx) => toErased({ contacts: await eraseRows(trx, 'contacts', sql`id = ${id}`) }), exclusively),
  };
}

/** By their names in the registry. */
type Traces = { readonly tokens: readonly Omit<Tables['issued_tokens'], 'canonical_subject'>[] } & Readonly<
  Record<
    | ('page_sessions' | 'replies' | 'grants' | 'reads' | 'erased_reads' | 'notes')
    | ('oauth_records' | 'verification_codes'),
    readonly Record<string, unknown>[]
  >
>;

/** Returns a row as exported: booleans for 0 and 1, no view if it is the whole profile, JSON as values. */
function toShown({ payload, ...row }: Record<string, unknown>): Record<string, unknown> {
  const shown = Object.entries(row).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (name.startsWith('is_')) return [[name, value === 1]];
    if (name === 'draft' && value !== null) return [[name, JSON.parse(String(value))]];
    return name === 'view' && value === null ? [] : [[name, value]];
  });
  return { ...(payload !== undefined && purposeOf(String(payload))), ...Object.fromEntries(shown) };
}

function purposeOf(payload: string) {
  const { kind, params = {}, clientId, redirectUri, scope }: Payload = JSON.parse(payload);
  return {
    kind,
    client_id: clientId ?? params.client_id ?? null,
    redirect_uri: redirectUri ?? params.redirect_uri ?? null,
    scope: scope ?? params.scope ?? null,
  };
}

/** The fields of a record that show its purpose; a request has some of them among the client's parameters. */
interface Payload {
  readonly kind: string;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly scope?: string;
  readonly params?: { readonly client_id?: string; readonly redirect_uri?: string; readonly scope?: string };
}

function toErased(rows: Partial<Record<keyof Tables, ErasedRows>>): Erased {
  const counts = Object.entries(counted).map(([name, table]) => [name, rows[table]?.count ?? 0]);
  const mails = Object.values(rows).flatMap((erased) => erased.mails.flatMap(({ mail_id }) => mail_id ?? []));
  return { ...(Object.fromEntries(counts) as Record<keyof typeof counted, number>), mails: [...new Set(mails)] };
}
