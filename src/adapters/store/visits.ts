import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Presence, pdfLink, type VisitEvent } from '../../model/visit.ts';
import type { VisitorKey } from '../../model/visitor.ts';
import { type Access, toDate } from './database.ts';

/** The time range of one statement, because SQLite answers nothing else meanwhile. */
const sliceMilliseconds = 7 * 24 * 60 * 60 * 1_000;

/** A row for reads of one kind in ten minutes, in which no visit begins or ends; of the page, in a second. */
const slot = sql`substr(read_at, 1, 15)`;
const slotBySurface = sql`substr(read_at, 1, case when surface = 'web' then 19 else 15 end)`;

/** The actions of visitors, by token and time. Messages that the owner has marked as spam are left out. */
export function visitEventsOf({ read }: Access) {
  return {
    /** Returns when the first stored event happened; null if there is none. */
    firstAt: (): Promise<Date | null> =>
      read(async (db) => {
        const { rows } = await sql<{ at: string | null }>`
          select min(at) as at from (
            select min(read_at) as at from reads
            union all select min(received_at) from contacts where state <> 'spam' and canonical_subject is not null
          ) as firsts`.execute(db);
        return toDate(rows[0]?.at ?? null);
      }),

    /** Returns when visitors were here between two instants, in the order of each token's events. */
    async presence(from: Date, to: Date): Promise<Presence[]> {
      const presence: Presence[] = [];
      for (let start = from.getTime(); start < to.getTime(); start += sliceMilliseconds) {
        const [first, end] = [start, Math.min(start + sliceMilliseconds, to.getTime())].map((at) =>
          new Date(at).toISOString(),
        );
        const { rows } = await read((db) =>
          sql<Omit<Presence, 'at' | 'until' | 'hasPdf'> & { at: string; until: string; pdf: number }>`
            select jti as record, canonical_subject as visitor, min(read_at) as at, max(read_at) as until,
              max(case when operation = 'pdf' or (operation = ${pdfLink.operation} and item = ${pdfLink.item}) then 1 else 0 end) as pdf
            from reads where read_at >= ${first} and read_at < ${end}
            group by jti, canonical_subject, ${slot}
            union all
            select coalesce(jti, canonical_subject), canonical_subject, received_at, received_at, 0 from contacts
            where received_at >= ${first} and received_at < ${end}
              and state <> 'spam' and canonical_subject is not null
            order by at`.execute(db),
        );
        for (const { at, until, pdf, ...row } of rows)
          presence.push({ ...row, at: new Date(at), until: new Date(until), hasPdf: pdf === 1 });
        await nextTurn(); // with SQLite, a read ends in the turn of the event loop that it begins in
      }
      return presence;
    },

    /** Returns the actions of visitors since an instant, at most the latest `limit` events; the oldest first. */
    eventsOf: (
      visitors: readonly VisitorKey[],
      since: Date,
      limit: number,
    ): Promise<(VisitEvent & Pick<Presence, 'record' | 'visitor'>)[]> =>
      read(async (db) => {
        if (visitors.length === 0) return [];
        const isTheirs = sql`canonical_subject in (${sql.join(visitors)})`;
        const from = since.toISOString();
        const { rows } = await sql<
          Omit<VisitEvent, 'at' | 'until'> & { record: string; visitor: VisitorKey; at: string; until: string }
        >`
          select canonical_subject as visitor, jti as record, operation, item, surface, client,
            min(read_at) as at, max(read_at) as until, count(*) as count
          from reads where ${isTheirs} and read_at >= ${from}
          group by canonical_subject, jti, operation, item, surface, client, ${slotBySurface}
          union all
          select canonical_subject, coalesce(jti, canonical_subject), 'message', id, null, null,
            received_at, received_at, 1
          from contacts where ${isTheirs} and received_at >= ${from} and state <> 'spam'
          order by at desc limit ${limit}`.execute(db);
        return rows.reverse().map((row) => ({ ...row, at: new Date(row.at), until: new Date(row.until) }));
      }),
  };
}
