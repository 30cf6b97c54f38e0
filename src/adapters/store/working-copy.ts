import type { Kysely } from 'kysely';
import type { StoredChange, StoredCopy } from '../../model/profile/working-copy.ts';
import { type Access, exclusively } from './database.ts';
import { requireSession } from './desk.ts';
import type { Tables } from './tables.ts';

const stateOf = ({ isUndone }: Pick<StoredChange, 'isUndone'>) => (isUndone ? ('undone' as const) : ('made' as const));

/** The owner's working copy of the profile. */
export function workingCopyOf({ read, write }: Access) {
  return {
    /** Returns the working copy; null if it was not changed since the last publish. */
    load: (): Promise<StoredCopy | null> =>
      read(async (db) => {
        for (;;) {
          const copy = await db.selectFrom('working_copy').selectAll().executeTakeFirst();
          if (copy === undefined) return null;
          const present = db.selectFrom('working_changes').selectAll().where('state', '!=', 'gone');
          const rows = await present.orderBy('sequence').execute();
          // Without a transaction, the changes may be those of a later revision.
          const latest = await db.selectFrom('working_copy').select('revision').executeTakeFirst();
          if (latest?.revision !== copy.revision) continue;
          return {
            revision: copy.revision,
            baseRevision: copy.base_revision,
            baseText: copy.base_text,
            conflicts: JSON.parse(copy.conflicts),
            changes: rows.map(({ id, step, state, patch, text }) => ({
              ...{ id, step, isUndone: state === 'undone', text },
              patch: patch === null ? null : JSON.parse(patch),
            })),
          };
        }
      }),

    /** Returns which of these changes were received, in the working copy or in one of the last day. */
    known: async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
      if (ids.length === 0) return new Set();
      const rows = await read((db) => db.selectFrom('working_changes').select('id').where('id', 'in', ids).execute());
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * Replaces the working copy, or removes it if `next` is null, and returns true, unless it has another revision by now.
     * Throws `UNAUTHORIZED` if the session has ended.
     */
    save: (revision: string | null, next: StoredCopy | null, at: Date, session?: string): Promise<boolean> =>
      write(async (trx) => {
        await requireSession(trx, session, at);
        const copy = await trx.selectFrom('working_copy').select(['revision', 'base_revision']).executeTakeFirst();
        if ((copy?.revision ?? null) !== revision) return false;
        const changed_at = at.toISOString();
        if (next === null) await trx.deleteFrom('working_copy').execute();
        else {
          const { revision, baseRevision: base_revision, baseText: base_text } = next;
          const row = { revision, base_revision, conflicts: JSON.stringify(next.conflicts), changed_at };
          if (copy === undefined)
            await trx
              .insertInto('working_copy')
              .values({ id: 'profile', ...row, base_text })
              .execute();
          else
            await trx
              .updateTable('working_copy')
              .set(copy.base_revision === base_revision ? row : { ...row, base_text })
              .execute();
        }
        await saveChanges(trx, next?.changes ?? [], changed_at);
        return true;
      }, exclusively),
  };
}

async function saveChanges(trx: Kysely<Tables>, changes: readonly StoredChange[], changed_at: string): Promise<void> {
  const table = trx.selectFrom('working_changes').select(['id', 'state', 'sequence']);
  const rows = await table.where('state', '!=', 'gone').execute();
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const setState = async (ids: readonly string[], set: Partial<Tables['working_changes']>) => {
    // An SQLite statement has at most 32,766 parameters.
    for (let from = 0; from < ids.length; from += 1_000)
      await trx
        .updateTable('working_changes')
        .set({ ...set, changed_at })
        .where('id', 'in', ids.slice(from, from + 1_000))
        .execute();
  };
  const present = new Set(changes.map(({ id }) => id));
  const gone = rows.filter(({ id }) => !present.has(id)).map(({ id }) => id);
  await setState(gone, { state: 'gone', patch: null, text: null });
  for (const [state, before] of [
    ['made', 'undone'],
    ['undone', 'made'],
  ] as const) {
    const marked = changes.filter((change) => stateOf(change) === state && states.get(change.id) === before);
    await setState(
      marked.map(({ id }) => id),
      { state },
    );
  }
  let sequence = Math.max(0, ...rows.map((row) => row.sequence));
  for (const { id, step, patch, text, ...state } of changes.filter((change) => !states.has(change.id))) {
    sequence += 1;
    const row = { sequence, step, changed_at, patch: patch && JSON.stringify(patch), text, state: stateOf(state) };
    // A proposal may be taken over again after its change was dropped.
    await trx
      .insertInto('working_changes')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }
}
