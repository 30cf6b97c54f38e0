import type { Kysely } from 'kysely';
import { Failure } from '../../../model/failure.ts';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';

type Kind = Tables['owner_events']['kind'];

/** A visit of the owner ends when this much time has passed since the desk was last looked at. */
const visitMilliseconds = 30 * 60 * 1_000;

/** What the owner did, and what happened since. */
export function ownerEventsOf(read: Read, write: Write) {
  return {
    /**
     * Records that the owner looks at the desk, and returns when the visit before this one ended; null on the first visit.
     * A visit is recorded only if the desk is opened, and not fetched in advance, and if the database can be written.
     */
    async visitDesk(now: Date, isOpened = true): Promise<Date | null> {
      const last = await read((db) => eventAt(db, 'desk_visit'));
      const before = await read((db) => eventAt(db, 'visit_before'));
      const isNewVisit = last !== null && now.getTime() - last.getTime() >= visitMilliseconds;
      const since = isNewVisit ? last : before;
      if (!isOpened) return since;
      await write(async (trx) => {
        const rows: Tables['owner_events'][] = [{ kind: 'desk_visit', at: now.toISOString() }];
        if (since !== null) rows.push({ kind: 'visit_before', at: since.toISOString() });
        await trx
          .insertInto('owner_events')
          .values(rows)
          .onConflict((conflict) => conflict.column('kind').doUpdateSet((eb) => ({ at: eb.ref('excluded.at') })))
          .execute();
      }).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
      return since;
    },

    /** Returns when the last backup was made; null if never. */
    backedUpAt: (): Promise<Date | null> => read((db) => eventAt(db, 'backup')),
  };
}

async function eventAt(db: Kysely<Tables>, kind: Kind): Promise<Date | null> {
  const row = await db.selectFrom('owner_events').select('at').where('kind', '=', kind).executeTakeFirst();
  return row === undefined ? null : new Date(row.at);
}
