import type { Kysely, Selectable, Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import { isOpen, type Link, maxLinks } from '../../model/link.ts';
import { type Access, countOf, exclusively, toDate } from './database.ts';
import type { Tables } from './tables.ts';

export function linksOf({ read, write, change }: Access) {
  return {
    /** Stores a link; returns false, and stores nothing, if too many links have not ended. */
    add: ({ id, name, view, until, mayWrite, madeAt }: Omit<Link, 'openedAt' | 'endedAt'>): Promise<boolean> =>
      write(async (trx) => {
        if ((await countOf(trx.selectFrom('links').where('ended_at', 'is', null))) >= maxLinks) return false;
        const instants = { until: until?.toISOString() ?? null, made_at: madeAt.toISOString() };
        const row = { id, name, view, may_write: Number(mayWrite), ...instants, opened_at: null, ended_at: null };
        await trx.insertInto('links').values(row).execute();
        return true;
      }, exclusively),

    find: (id: string): Promise<Link | null> => read((db) => findLink(db, id)),

    /** Lists all links, including ended ones, the latest first. */
    list: (): Promise<Link[]> =>
      read(async (db) => {
        const all = db.selectFrom('links').selectAll();
        return (await all.orderBy('made_at', 'desc').orderBy('id').execute()).map(toLink);
      }),

    rename: (id: string, name: string): Promise<void> =>
      change((trx) => trx.updateTable('links').set({ name }).where('id', '=', id)),

    /** Marks a link as ended; returns false if it had ended before. No opening runs at the same time. */
    end: (id: string, at: Date): Promise<boolean> =>
      write(async (trx) => {
        const ending = trx.updateTable('links').set({ ended_at: at.toISOString() }).where('id', '=', id);
        return (await ending.where('ended_at', 'is', null).returning('id').execute()).length > 0;
      }, exclusively),
  };
}

/** Records that a link is opened; returns whether it is the first time. Throws `NOT_FOUND` if it has ended. */
export async function openLink(trx: Transaction<Tables>, id: string, now: Date): Promise<boolean> {
  await refuseEnded(trx, id, now);
  const unopened = trx.updateTable('links').where('id', '=', id).where('opened_at', 'is', null);
  return (await unopened.set({ opened_at: now.toISOString() }).returning('id').execute()).length > 0;
}

export async function refuseEnded(trx: Transaction<Tables>, id: string, now: Date): Promise<void> {
  if ((await findOpenLink(trx, id, now)) === null) throw new Failure('NOT_FOUND');
}

export async function findOpenLink(db: Kysely<Tables>, id: string, now: Date): Promise<Link | null> {
  const link = await findLink(db, id);
  return link !== null && isOpen(link, now) ? link : null;
}

async function findLink(db: Kysely<Tables>, id: string): Promise<Link | null> {
  const row = await db.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toLink(row);
}

const toLink = ({ until, may_write, made_at, opened_at, ended_at, ...row }: Selectable<Tables['links']>): Link => ({
  ...row,
  until: toDate(until),
  mayWrite: may_write === 1,
  madeAt: new Date(made_at),
  openedAt: toDate(opened_at),
  endedAt: toDate(ended_at),
});
