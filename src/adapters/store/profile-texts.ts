import type { Kysely, Transaction } from 'kysely';
import { type DocumentVersion, maxProposals, type Proposal, proposalDays } from '../../model/profile/document-state.ts';
import { newId } from '../node-crypto.ts';
import { type Access, exclusively } from './database.ts';
import { requireSession } from './desk.ts';
import type { Tables } from './tables.ts';

const maxHistoryBytes = 5_000_000;

const versionColumns = ['id', 'revision', 'kind', 'kept_at', 'bytes'] as const;
const proposalColumns = ['id', 'name', 'base_revision', 'revision', 'saved_at', 'bytes'] as const;

type Listed<Whole> = Omit<Whole, 'text'>;

const toVersion = <Row extends { kept_at: string }>({ kept_at, ...row }: Row) => ({ ...row, at: new Date(kept_at) });

const toProposal = <Row extends { base_revision: string; saved_at: string }>({
  base_revision,
  saved_at,
  ...row
}: Row) => ({ ...row, baseRevision: base_revision, savedAt: new Date(saved_at) });

export function profileVersionsOf({ read, write }: Access) {
  /** Returns the first version of a query with its text; null if the query has none. */
  const findWhole = (choose: (db: Kysely<Tables>) => ReturnType<typeof newestFirst>): Promise<DocumentVersion | null> =>
    read(async (db) => {
      const row = await choose(db).select('text').limit(1).executeTakeFirst();
      return row === undefined ? null : toVersion(row);
    });

  return {
    /** Stores a version, or the kind of one with this text; removes the oldest beyond `limit` or 5 MB, not the newest. */
    async add({ revision, text, kind, at }: Omit<DocumentVersion, 'id' | 'bytes'>, limit: number): Promise<void> {
      // The usual case at a start: no write, which would fail while the disk is full.
      const stored = await read((db) => newestFirst(db).execute());
      if (kind === 'outside' && stored.length <= limit && (limit === 0 || stored[0]?.revision === revision)) return;
      await write(async (trx) => {
        const [newest] = await newestFirst(trx).limit(1).execute();
        if (limit > 0 && newest?.revision !== revision) {
          const row = { revision, text, kind, bytes: Buffer.byteLength(text), kept_at: at.toISOString() };
          await trx.insertInto('profile_versions').values(row).execute();
        } else if (limit > 0 && kind !== 'outside')
          await trx.updateTable('profile_versions').set({ kind }).where('id', '=', newest!.id).execute();
        await removeOldest(trx, limit);
      }, exclusively);
    },

    list: (): Promise<Listed<DocumentVersion>[]> =>
      read(async (db) => (await newestFirst(db).execute()).map((row) => toVersion(row))),

    find: (id: number): Promise<DocumentVersion | null> => findWhole((db) => newestFirst(db).where('id', '=', id)),

    findBefore: (id: number): Promise<DocumentVersion | null> =>
      findWhole((db) => newestFirst(db).where('id', '<', id)),

    findText: async (revision: string): Promise<string | null> =>
      (await findWhole((db) => newestFirst(db).where('revision', '=', revision)))?.text ?? null,

    erase: (): Promise<number> =>
      write(async (trx) => (await trx.deleteFrom('profile_versions').returning('id').execute()).length, exclusively),
  };
}

const newestFirst = (db: Kysely<Tables>) =>
  db.selectFrom('profile_versions').select(versionColumns).orderBy('id', 'desc');

async function removeOldest(trx: Transaction<Tables>, limit: number): Promise<void> {
  let bytes = 0;
  const first = (await newestFirst(trx).execute()).find((version, index) => {
    bytes += version.bytes;
    return index >= limit || (index > 0 && bytes > maxHistoryBytes);
  });
  if (first !== undefined) await trx.deleteFrom('profile_versions').where('id', '<=', first.id).execute();
}

/** The texts that are proposed as the owner's profile. */
export function proposalsOf({ read, write }: Access) {
  return {
    /**
     * Stores a proposal, unless one has the same name and text; returns its id, or null if there are already 20. Throws
     * `UNAUTHORIZED` if the session at the desk, or of the setup code, has ended.
     */
    add: (
      { name, baseRevision, revision, savedAt, text }: Omit<Proposal, 'id' | 'bytes'>,
      session?: string,
    ): Promise<string | null> =>
      write(async (trx) => {
        await requireSession(trx, session, savedAt);
        const present = await latestFirst(trx, savedAt).execute();
        const known = present.find((one) => one.revision === revision && one.name === name);
        if (known !== undefined) return known.id;
        if (present.length >= maxProposals) return null;
        const row = { id: newId(), name, base_revision: baseRevision, revision, saved_at: savedAt.toISOString(), text };
        await trx
          .insertInto('proposals')
          .values({ ...row, bytes: Buffer.byteLength(text) })
          .execute();
        return row.id;
      }, exclusively),

    /** Lists the proposals of the last 90 days, the latest first. */
    list: (now: Date): Promise<Listed<Proposal>[]> =>
      read(async (db) => (await latestFirst(db, now).execute()).map((row) => toProposal(row))),

    async find(id: string, now: Date): Promise<Proposal | null> {
      const row = await read((db) => latestFirst(db, now).select('text').where('id', '=', id).executeTakeFirst());
      return row === undefined ? null : toProposal(row);
    },

    /** Removes a proposal; returns whether there was one. */
    remove: (id: string): Promise<boolean> =>
      write(
        async (trx) => (await trx.deleteFrom('proposals').where('id', '=', id).returning('id').execute()).length > 0,
      ),
  };
}

const latestFirst = (db: Kysely<Tables>, now: Date) =>
  db
    .selectFrom('proposals')
    .select(proposalColumns)
    .where('saved_at', '>=', new Date(now.getTime() - proposalDays * 86_400_000).toISOString())
    .orderBy('saved_at', 'desc')
    .orderBy('id');
