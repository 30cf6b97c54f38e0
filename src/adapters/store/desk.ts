import { type Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import { type LinkFault, type StoredLink, type StoredSecret, setupHashOf, setupPrefix } from '../../model/sign-in.ts';
import { type Access, exclusively, toDate } from './database.ts';
import { queueNotice } from './outbox.ts';
import { countUses } from './quotas.ts';
import { tableFacts } from './registry.ts';
import type { Tables } from './tables.ts';

/** The owner's one-time links and sessions. */
export function signInsOf({ read, write, change }: Access) {
  return {
    addLink: (link: StoredLink, mail: Notice | null, charges: readonly QuotaCharge[]): Promise<void> =>
      write(async (trx) => {
        await countUses(trx, charges, link.createdAt);
        await trx
          .insertInto('sign_in_links')
          .values({ ...toRow(link), path: link.path })
          .execute();
        if (mail !== null) await queueNotice(trx, mail, link.createdAt);
      }),

    findLink: (hash: string, now: Date) => read((db) => findLink(db, hash, now)),

    useLink: (hash: string, session: StoredSecret): Promise<{ path: string } | LinkFault> =>
      write(async (trx) => {
        const now = session.createdAt;
        const used = await trx
          .updateTable('sign_in_links')
          .set({ used_at: now.toISOString() })
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .where('expires_at', '>', now.toISOString())
          .returning('path')
          .executeTakeFirst();
        if (used === undefined) return (await findLink(trx, hash, now)) as LinkFault;
        await addSession(trx, session);
        return used;
      }),

    addSession: (session: StoredSecret): Promise<void> => write((trx) => addSession(trx, session)),

    /** As in `OwnerServices`. A setup session stays one until the profile exists, so that the owner can try again. */
    beginFirstProfile: (
      session: string | undefined,
      now: Date,
      copyRevision?: string,
    ): Promise<'signed-out' | 'changed' | null> =>
      write(async (trx) => {
        const acceptsCode = await isNew(trx);
        const hashes = session === undefined ? [] : acceptsCode ? [session, setupHashOf(session)] : [session];
        if (session !== undefined && !(await hasSession(trx, hashes, now))) return 'signed-out';
        if (!acceptsCode) return null;
        // Another session of the setup code may have changed what is published.
        const copy = await trx.selectFrom('working_copy').select('revision').executeTakeFirst();
        if (copyRevision !== undefined && copy?.revision !== copyRevision) return 'changed';
        const ofCode = trx.deleteFrom('desk_sessions').where('hash', 'like', `${setupPrefix}%`);
        await (session === undefined ? ofCode : ofCode.where('hash', 'not in', hashes)).execute();
        await trx.updateTable('links').set({ ended_at: now.toISOString() }).where('ended_at', 'is', null).execute();
        await trx.deleteFrom('proposals').execute();
        return null;
      }, exclusively),

    keepSession: (id: string): Promise<void> =>
      write(async (trx) => {
        await trx.updateTable('desk_sessions').set({ hash: id }).where('hash', '=', setupHashOf(id)).execute();
        await trx.deleteFrom('desk_sessions').where('hash', 'like', `${setupPrefix}%`).execute();
      }),

    hasSession: (hash: string, now: Date): Promise<boolean> => read((db) => hasSession(db, [hash], now)),

    endSession: (hash: string): Promise<void> =>
      change((trx) => trx.deleteFrom('desk_sessions').where('hash', '=', hash)),

    endSessions: (): Promise<number> =>
      write(async (trx) => {
        await trx.deleteFrom('sign_in_links').where('used_at', 'is', null).execute();
        return (await trx.deleteFrom('desk_sessions').returning('hash').execute()).length;
      }),
  };
}

/** Whether there is a session with one of the hashes. */
async function hasSession(db: Kysely<Tables>, hashes: readonly string[], now: Date): Promise<boolean> {
  const sessions = db.selectFrom('desk_sessions').select('hash').where('hash', 'in', hashes);
  return (await sessions.where('expires_at', '>', now.toISOString()).executeTakeFirst()) !== undefined;
}

/** Throws `UNAUTHORIZED` if a session, also one of the setup code, has ended; undefined is the terminal. */
export async function requireSession(db: Kysely<Tables>, session: string | undefined, now: Date): Promise<void> {
  if (session !== undefined && !(await hasSession(db, [session, setupHashOf(session)], now)))
    throw new Failure('UNAUTHORIZED');
}

const toRow = ({ hash, createdAt, expiresAt }: StoredSecret) => ({
  hash,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

async function findLink(db: Kysely<Tables>, hash: string, now: Date): Promise<{ path: string } | LinkFault> {
  const link = await db
    .selectFrom('sign_in_links')
    .select(['path', 'used_at', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (link === undefined) return 'unknown';
  if (link.used_at !== null) return 'used';
  return link.expires_at > now.toISOString() ? { path: link.path } : 'expired';
}

/** Stores a session, and ends a visit at the desk, because signing in begins a new one. */
async function addSession(trx: Transaction<Tables>, session: StoredSecret): Promise<void> {
  await trx.insertInto('desk_sessions').values(toRow(session)).execute();
  const last = await eventAt(trx, 'desk_visit');
  if (last !== null) await setEvents(trx, [{ kind: 'visit_before', at: last.toISOString() }]);
}

const setEvents = (trx: Transaction<Tables>, events: readonly Tables['owner_events'][]) =>
  trx
    .insertInto('owner_events')
    .values(events)
    .onConflict((conflict) => conflict.column('kind').doUpdateSet((eb) => ({ at: eb.ref('excluded.at') })))
    .execute();

/** A visit of the owner ends this long after the last look at the desk. */
const visitMilliseconds = 30 * 60 * 1_000;

/** The owner's visits at the desk, and backups. */
export function ownerEventsOf({ read, write, change }: Access) {
  return {
    /**
     * Records that the owner looks at the desk. Returns when the previous visit ended, null during the first visit, and whether
     * the desk was never looked at before, in any browser. A visit is recorded only if the desk is opened, not prefetched, and
     * if the database can be written.
     */
    async visit(now: Date, isOpened = true): Promise<{ before: Date | null; isFirst: boolean }> {
      const last = await read((db) => eventAt(db, 'desk_visit'));
      const before = await read((db) => eventAt(db, 'visit_before'));
      const isNewVisit = last !== null && now.getTime() - last.getTime() >= visitMilliseconds;
      const since = isNewVisit ? last : before;
      const visit = { before: since, isFirst: last === null };
      if (!isOpened) return visit;
      const events: Tables['owner_events'][] = [{ kind: 'desk_visit', at: now.toISOString() }];
      if (since !== null) events.push({ kind: 'visit_before', at: since.toISOString() });
      await write((trx) => setEvents(trx, events)).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
      return visit;
    },

    async recordFirstProfile(now: Date): Promise<void> {
      if ((await read((db) => eventAt(db, 'first_profile'))) !== null) return;
      const first = { kind: 'first_profile', at: now.toISOString() } as const;
      await change((trx) =>
        trx
          .insertInto('owner_events')
          .values(first)
          .onConflict((conflict) => conflict.doNothing()),
      );
    },

    isNew: (): Promise<boolean> => read(isNew),

    /** Returns when the last backup was made; null if never. */
    backedUpAt: (): Promise<Date | null> => read((db) => eventAt(db, 'backup')),
  };
}

/** Whether the database has never had a profile or a visitor. */
async function isNew(db: Kysely<Tables>): Promise<boolean> {
  const hasRows = sql.join(
    usedTables.map((table) => sql`exists (select 1 from ${sql.table(table)})`),
    sql` or `,
  );
  const { rows } = await sql<{ is_used: number | boolean }>`select ${hasRows} as is_used`.execute(db);
  return !rows[0]!.is_used && (await eventAt(db, 'first_profile')) === null;
}

/** The tables that have rows after a visit, or after a profile was stored before `first_profile` was recorded. */
const usedTables = ['profile_versions', ...tableFacts.flatMap(([table, { by }]) => (by === undefined ? [] : [table]))];

async function eventAt(db: Kysely<Tables>, kind: Tables['owner_events']['kind']): Promise<Date | null> {
  const row = await db.selectFrom('owner_events').select('at').where('kind', '=', kind).executeTakeFirst();
  return toDate(row?.at ?? null);
}
