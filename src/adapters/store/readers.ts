import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { toCanonicalAddress } from 'resume-profile/email-address';
import { type Activity, maxCounted, type Reader, type ReaderFilter } from '../../model/reader.ts';
import { readVisitor, type VisitorKey, type VisitorText } from '../../model/visitor.ts';
import { type Access, exclusively, toDate } from './database.ts';
import type { Tables } from './tables.ts';

const readersAtOnce = 1_000;

export function readersOf({ read, write }: Access) {
  return {
    /** Returns the readers seen last, at most `limit`, and how many there are; null if more than `maxCounted`. */
    list: (filter: ReaderFilter, limit: number): Promise<{ readers: Reader[]; total: number | null }> =>
      read(async (db) => {
        const keys = await readersIn(db, filter);
        const readers: Reader[] = [];
        for (let start = 0; start < Math.min(limit, keys.length); start += readersAtOnce) {
          const times = await seenTimesOf(db, keys.slice(start, Math.min(limit, start + readersAtOnce)));
          readers.push(...(await withDetails(db, times)));
        }
        return { readers, total: filter.key === undefined ? countedTo(keys) : readers.length };
      }),

    count: (filter: ReaderFilter): Promise<number | null> => read(async (db) => countedTo(await readersIn(db, filter))),

    async *keys(): AsyncGenerator<readonly VisitorKey[]> {
      const keys = await read((db) => readersIn(db, {}));
      for (let start = 0; start < keys.length; start += readersAtOnce) {
        yield keys.slice(start, start + readersAtOnce);
        await nextTurn(); // so that other requests are answered between two batches
      }
    },

    /** Returns which visitors asked for access, read or erased something since an instant, the latest first. */
    activitySince: (since: Date): Promise<Activity[]> =>
      read(async (db) => {
        const at = since.toISOString();
        // Reads are grouped without the address as typed, so that an index has all grouped columns.
        const { rows } = await sql<Event>`
          select 'access' as kind, canonical_subject as key, subject, max(issued_at) as at, ${requestCount} as count,
            cast(null as text) as client
          from issued_tokens where issued_at >= ${at} and grant_id is null group by canonical_subject, subject
          union all
          select 'connected', canonical_subject, subject, created_at, 0, client_name
          from oauth_grants where created_at >= ${at}
          union all
          select 'erased', canonical_subject, subject, max(erased_at), 0, null
          from erased_reads where erased_at >= ${at} group by canonical_subject, subject
          union all
          select 'read', grouped.canonical_subject, latest.subject, grouped.at, 0, null
          from (
            select canonical_subject, max(read_at) as at, max(id) as id
            from reads where read_at >= ${at} group by canonical_subject
          ) as grouped join reads as latest on latest.id = grouped.id`.execute(db);
        return [...Map.groupBy(rows, ({ key }) => key).values()]
          .map(toActivity)
          .sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
      }),

    /** Stores the owner's note about a visitor; an empty note removes it. */
    note: (visitor: VisitorKey, note: string, now: Date): Promise<void> =>
      write(async (trx) => {
        if (note === '') {
          await trx.deleteFrom('reader_notes').where('canonical_subject', '=', visitor).execute();
          return;
        }
        const noted_at = now.toISOString();
        const [reader] = await seenTimesOf(trx, [visitor]);
        const values = { note, noted_at, seen_at: reader?.last ?? noted_at };
        await trx
          .insertInto('reader_notes')
          .values({ canonical_subject: visitor, ...values })
          .onConflict((conflict) => conflict.column('canonical_subject').doUpdateSet(values))
          .execute();
      }),
  };
}

const countedTo = ({ length }: readonly VisitorKey[]): number | null => (length > maxCounted ? null : length);

/** Counts openings of a link whose ids have the same second part (`openingIdOf`) once. */
const requestCount = sql<number>`
  count(distinct case when substr(jti, 33, 1) = '~' then substr(jti, 34) else jti end)`;

async function withDetails(db: Kysely<Tables>, times: readonly SeenTimes[]): Promise<Reader[]> {
  if (times.length === 0) return [];
  const keys = times.map(({ key }) => key);
  const erased = await db
    .selectFrom('erased_reads')
    .select((eb) => ['canonical_subject', eb.fn.max('erased_at').as('erased_at')])
    .where('canonical_subject', 'in', keys)
    .groupBy('canonical_subject')
    .execute();
  const notes = await db.selectFrom('reader_notes').selectAll().where('canonical_subject', 'in', keys).execute();
  const contacts = await db
    .selectFrom('contacts')
    .select(['canonical_email', 'canonical_subject'])
    .where((eb) => eb.or([eb('canonical_email', 'in', keys), eb('canonical_subject', 'in', keys)]))
    .execute();
  const messages = new Map<VisitorKey | null, number>();
  for (const { canonical_email, canonical_subject } of contacts)
    for (const one of new Set([canonical_email, canonical_subject])) messages.set(one, (messages.get(one) ?? 0) + 1);

  return times.map(({ key, subject, first, last }) => {
    const isOfReader = (row: { canonical_subject: string | null }) => row.canonical_subject === key;
    return {
      key,
      visitor: readVisitor(subject),
      firstSeenAt: new Date(first),
      lastSeenAt: new Date(last),
      messages: messages.get(key) ?? 0,
      erasedAt: toDate(erased.find(isOfReader)?.erased_at ?? null),
      note: notes.find(isOfReader)?.note ?? '',
    };
  });
}

/** The actions of a visitor since an instant: the number of access requests, or the client they connected. */
interface Event {
  readonly kind: 'access' | 'connected' | 'erased' | 'read';
  readonly key: VisitorKey;
  readonly subject: VisitorText;
  readonly at: string;
  readonly count: number;
  readonly client: string | null;
}

function toActivity(events: readonly Event[]): Activity {
  const last = events.reduce((latest, event) => (event.at > latest.at ? event : latest));
  return {
    key: last.key,
    visitor: readVisitor(last.subject),
    lastAt: new Date(last.at),
    requests: events.reduce((sum, { count }) => sum + count, 0),
    connected: [...new Set(events.flatMap(({ client }) => client ?? []))],
    hasErasedReads: events.some(({ kind }) => kind === 'erased'),
    hasRead: events.some(({ kind }) => kind === 'read'),
  };
}

/** Erases notes of readers without other data, last seen before an instant. Call it before and after erasing that data. */
export async function eraseExpiredNotes({ read, write }: Access, before: Date): Promise<number> {
  const notes = await read((db) => db.selectFrom('reader_notes').select('canonical_subject as key').execute());
  let erased = 0;
  for (let start = 0; start < notes.length; start += notesAtOnce) {
    const keys = notes.slice(start, start + notesAtOnce).map(({ key }) => key);
    erased += await write((trx) => eraseNotesOf(trx, keys, before.toISOString()), exclusively);
  }
  return erased;
}

// An SQLite statement has at most 32,766 parameters, and other work waits for a transaction.
const notesAtOnce = 1_000;

async function eraseNotesOf(trx: Transaction<Tables>, keys: readonly VisitorKey[], before: string): Promise<number> {
  const notes = await trx
    .selectFrom('reader_notes')
    .select(['canonical_subject as key', 'noted_at', 'seen_at'])
    .where('canonical_subject', 'in', keys)
    .execute();
  const readers = new Map((await seenTimesOf(trx, keys)).map((reader) => [reader.key, reader]));
  const expired: VisitorKey[] = [];
  for (const { key, noted_at, seen_at } of notes) {
    const reader = readers.get(key);
    const last = reader?.last ?? noted_at;
    const ofReader = trx.updateTable('reader_notes').where('canonical_subject', '=', key);
    if (last !== seen_at) await ofReader.set({ seen_at: last }).execute();
    if (last < before && !reader?.traces) expired.push(key);
  }
  if (expired.length > 0) await trx.deleteFrom('reader_notes').where('canonical_subject', 'in', expired).execute();
  return expired.length;
}

/** When a visitor was first and last seen; `subject` as first spelled. */
interface SeenTimes {
  readonly key: VisitorKey;
  readonly subject: VisitorText;
  readonly first: string;
  readonly last: string;
  /** The number of tables with data about the visitor, except the owner's note. */
  readonly traces: number;
}

/** The tables about visitors, each with its column of the instant. A note keeps the instant of rows that are erased by now. */
const sources = {
  issued_tokens: 'issued_at',
  reads: 'read_at',
  contacts: 'received_at',
  erased_reads: 'erased_at',
  oauth_grants: 'created_at',
  reader_notes: 'seen_at',
} as const;
const sourceTables = Object.keys(sources) as (keyof typeof sources)[];

/** Returns the keys of the readers who meet a filter, the last seen first: of 90,000 readers, in 0.15 s. */
async function readersIn(db: Kysely<Tables>, filter: ReaderFilter): Promise<readonly VisitorKey[]> {
  if (filter.key !== undefined) return [filter.key];
  const tables = filter.hasVisited === true ? (['reads', 'contacts'] as const) : sourceTables;
  const seen = tables.map(
    (table) => sql`select canonical_subject as key, max(${sql.ref(sources[table])}) as last
      from ${sql.table(table)} where ${conditionOn(table, filter)} group by canonical_subject`,
  );
  const { rows } = await sql<{ key: VisitorKey }>`select key from (${sql.join(seen, sql` union all `)}) as seen
    group by key order by max(last) desc, key desc`.execute(db);
  return rows.map(({ key }) => key);
}

function conditionOn(
  table: keyof typeof sources,
  { text, links = [], since, hasVisited }: ReaderFilter,
): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`canonical_subject is not null`];
  if (since !== undefined) conditions.push(sql`${sql.ref(sources[table])} >= ${since.toISOString()}`);
  if (text !== undefined) {
    const hasText = sql<SqlBool>`canonical_subject like ${containing(toComparable(text))} escape '\\'`;
    conditions.push(links.length === 0 ? hasText : sql`(${hasText} or canonical_subject in (${sql.join(links)}))`);
  }
  if (hasVisited === true && table === 'contacts') conditions.push(sql`state <> 'spam'`);
  if (hasVisited === false) conditions.push(hasNotVisited(table, since ?? new Date(0)));
  return sql.join(conditions, sql` and `);
}

const hasNotVisited = (table: keyof typeof sources, since: Date): RawBuilder<SqlBool> => {
  const isTheirs = sql`visit.canonical_subject = ${sql.ref(`${table}.canonical_subject`)}`;
  return sql`not exists (select 1 from reads as visit where ${isTheirs} and read_at >= ${since.toISOString()})
    and not exists (
      select 1 from contacts as visit where ${isTheirs} and received_at >= ${since.toISOString()} and state <> 'spam')`;
};

/** Converts a text like a canonical address, except that a part of an address is not converted to A-labels. */
const toComparable = (text: string): string =>
  text.includes('@') ? toCanonicalAddress(text) : text.normalize('NFC').toLowerCase();

/** Returns when visitors were first and last seen, the last seen first. */
async function seenTimesOf(db: Kysely<Tables>, keys: readonly VisitorKey[]): Promise<readonly SeenTimes[]> {
  if (keys.length === 0) return [];
  const isOne = sql`canonical_subject in (${sql.join(keys)})`;
  const others = (['issued_tokens', 'contacts', 'erased_reads', 'oauth_grants'] as const).map((table) => {
    const at = sql.ref(sources[table]);
    return sql`union all select canonical_subject, min(${at} || ' ' || subject), max(${at}), null
      from ${sql.table(table)} where ${isOne} group by canonical_subject`;
  });
  // An instant has 24 characters: the first of all texts "INSTANT SUBJECT" has the subject as first spelled.
  const { rows } = await sql<SeenTimes>`
    select key, substr(coalesce(min(first), max(noted)), 26) as subject,
      substr(coalesce(min(first), max(noted)), 1, 24) as first, max(last) as last, count(first) as traces
    from (
      select canonical_subject as key, cast(null as text) as first, seen_at as last,
          seen_at || ' ' || canonical_subject as noted
        from reader_notes where ${isOne}
      union all
      select key, first || ' ' || (select subject from reads where id = first_id), last, null
        from (
          select canonical_subject as key, min(read_at) as first, min(id) as first_id, max(read_at) as last
          from reads where ${isOne} group by canonical_subject
        ) as readers
      ${sql.join(others, sql` `)}
    ) as visitors
    group by key
    order by last desc, key desc`.execute(db);
  return rows;
}

/** Returns a LIKE pattern, with `\\` as the escape character, for texts that contain a text. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
