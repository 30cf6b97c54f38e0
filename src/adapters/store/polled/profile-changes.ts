import { type Kysely, sql } from 'kysely';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';

/** How often processes have loaded a change of each part of the profile, from which each learns of the changes that others load. */
export function profileChangesOf(read: Read, write: Write) {
  return {
    /** Returns the number of changes by part, of all processes together. */
    profileChanges: (): Promise<ReadonlyMap<string, number>> => read(changesIn),

    /** Counts a change of each part, and returns the numbers after that. */
    addProfileChanges: (parts: readonly string[]): Promise<ReadonlyMap<string, number>> =>
      write(async (trx) => {
        // In order, so that two transactions do not wait for each other.
        const rows = parts.toSorted().map((part) => ({ part, changes: 1 }));
        await trx
          .insertInto('profile_changes')
          .values(rows)
          .onConflict((conflict) => conflict.column('part').doUpdateSet({ changes: sql`profile_changes.changes + 1` }))
          .execute();
        return await changesIn(trx);
      }),
  };
}

async function changesIn(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('profile_changes').selectAll().execute();
  return new Map(rows.map(({ part, changes }) => [part, changes]));
}
