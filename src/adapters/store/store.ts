import { Kysely, sql } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Store } from '../../operations/ports.ts';
import type { RevocationStore } from '../tokens/revocations.ts';
import type { TokenViewStore } from '../tokens/token-views.ts';
import { contactsOf } from './contacts.ts';
import { type Database, type Read, retryWhile, type Write } from './database.ts';
import { ownerEventsOf, signInsOf } from './desk.ts';
import { expiryOf } from './expiry.ts';
import { linksOf } from './links.ts';
import { migrate } from './migrations.ts';
import { oauthClientsOf, oauthRecordsOf, verificationCodesOf } from './oauth.ts';
import { oauthGrantsOf } from './oauth-grants.ts';
import { outboxOf } from './outbox.ts';
import { pageSessionsOf } from './page-sessions.ts';
import type { PostgresOptions } from './postgres/postgres.ts';
import { profileDraftsOf, profileVersionsOf } from './profile-texts.ts';
import { quotasOf } from './quotas.ts';
import { readersOf } from './readers.ts';
import { readsOf } from './reads.ts';
import { repliesOf } from './replies.ts';
import type { Tables } from './tables.ts';
import { revocationsOf, tokensOf, tokenViewsOf } from './tokens.ts';
import { visitorsOf } from './visitors.ts';
import { visitEventsOf } from './visits.ts';

/** A file of SQLite, or the address of a PostgreSQL database. `name` is for messages; it holds no password. */
export type DatabasePlace =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly url: string };

/** Opens the database in a place; warns of a file that is open to others. Throws a one-line error. */
export async function openDatabase(place: DatabasePlace, options: PostgresOptions): Promise<Database> {
  // Loads the one that is used alone: loading takes time at each start.
  if ('url' in place) return (await import('./postgres/postgres.ts')).openPostgres(place.url, options);
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.file, options.warn);
}

/** The store as adapters, commands and the service see it; operations see its `Store` part alone. */
export type DurableStore = Awaited<ReturnType<typeof openStore>>;

interface Options {
  /** The budget of a process that sends mail; without it each notice is a mail of its own. */
  readonly mailsPerHour?: number;
  /** How long a call waits while another process holds the lock that it needs; 1 s by default. */
  readonly lockWaitMilliseconds?: number;
  /** Receives one line when the database begins to fail, when it can be written again, and if other reads fail. */
  readonly log?: { error(fields: object, message: string): void; info(message: string): void };
}

const migrationWaitMilliseconds = 10_000;

/**
 * Opens the store and applies the missing migrations. A call, except `scrub`, throws `UNAVAILABLE` if the database
 * cannot be used at the moment. Dispose of it with `close`.
 */
export async function openStore(database: Database, options: Options = {}) {
  const { mailsPerHour = Number.POSITIVE_INFINITY } = options;
  const db = new Kysely<Tables>({ dialect: database.dialect });
  let onMailQueued = () => {};
  const access = accessTo(database, db, options);
  const { read, readMarkingOutage, write, isWritable, readVersion, probeWrite } = access;

  try {
    await retryWhile(database.isLocked, migrationWaitMilliseconds, () => database.migrate(db, migrate));
  } catch (error) {
    await db.destroy();
    throw error;
  }

  const onQueued = () => onMailQueued();
  return {
    contacts: contactsOf(access, database.lowerCase, onQueued),
    tokens: tokensOf(readMarkingOutage, write, database, onQueued),
    links: linksOf(readMarkingOutage, write),
    pageSessions: pageSessionsOf(readMarkingOutage, write),
    revocations: revocationsOf(readMarkingOutage, write),
    tokenViews: tokenViewsOf(readMarkingOutage, write),
    quotas: quotasOf(readMarkingOutage, write),
    outbox: {
      ...outboxOf(access, database, mailsPerHour),
      /** Sets the listener that is called after the commit of each notice. */
      onQueued(listener: () => void): void {
        onMailQueued = listener;
      },
    },
    reads: readsOf(read, write, database),
    readers: { ...readersOf(read, write), ...visitEventsOf(read) },
    replies: repliesOf(read, write, onQueued),
    visitors: visitorsOf(read, write),
    expiry: expiryOf(read, write),
    desk: { ...signInsOf(read, write, onQueued), ...ownerEventsOf(read, write) },
    oauth: {
      clients: oauthClientsOf(readMarkingOutage, write),
      grants: oauthGrantsOf(readMarkingOutage, write, onQueued),
      records: oauthRecordsOf(readMarkingOutage, write),
      codes: verificationCodesOf(readMarkingOutage, write, onQueued),
    },
    profileChanges: profileChangesOf(read, write),
    profileVersions: profileVersionsOf(read, write),
    profileDrafts: profileDraftsOf(read, write),
    readClock: () => read(database.readClock),
    scrub: () => database.scrub(db),
    isWritable,
    readVersion,
    probeWrite,
    replicas: database.replicas,
    async close(): Promise<void> {
      await database.replicas.close();
      await db.destroy();
    },
  } satisfies Store & RevocationStore & TokenViewStore & Record<string, unknown>;
}

/** Counts of the profile changes that processes have loaded, from which each learns of those that others load. */
function profileChangesOf(read: Read, write: Write) {
  return {
    /** Returns the number of changes by part, of all processes together. */
    counts: (): Promise<ReadonlyMap<string, number>> => read(changesIn),

    /** Counts a change of each part, and returns the numbers after that. */
    add: (parts: readonly string[]): Promise<ReadonlyMap<string, number>> =>
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

/** For how long no second line says that some work fails. */
const quietMilliseconds = 60_000;

/** Gives access to the database; reads and writes throw `UNAVAILABLE` if it cannot be used at the moment. */
function accessTo(database: Database, db: Kysely<Tables>, { lockWaitMilliseconds = 1_000, log }: Options) {
  const { isLocked, isUnavailable, mayBePartial } = database;
  let isWritable = true;
  /** Whether work has failed by an error that may concern it alone; the next probe tells. */
  let isDoubtful = false;
  let quietUntil = 0;
  let hasLoggedRead = false;
  /** Whether a failed read was logged, and no write has succeeded since: if writes fail, too, it is the same outage. */
  let isOutageLogged = false;

  function markOutage(error: unknown): void {
    if (isWritable && !isOutageLogged) log?.error({ err: error }, 'the store failed');
    isWritable = false;
  }

  function markFailure(error: unknown): void {
    isDoubtful = true;
    if (mayBePartial(error)) logPartial(error);
    else markOutage(error);
  }

  function logPartial(error: unknown): void {
    if (!isWritable || performance.now() < quietUntil) return;
    log?.error({ err: error }, 'the store is busy or refuses some work');
    quietUntil = performance.now() + quietMilliseconds;
  }

  // Once, because damage lasts until a restart: a write that succeeds does not show that the read would.
  function logFailedRead(error: unknown): void {
    if (mayBePartial(error)) {
      logPartial(error);
      return;
    }
    if (isWritable && !hasLoggedRead) {
      log?.error({ err: error }, 'the store failed');
      isOutageLogged = true;
    }
    hasLoggedRead = true;
  }

  async function attempt<Result>(access: () => Promise<Result>, onFailure: (error: unknown) => void): Promise<Result> {
    try {
      return await access();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onFailure(error);
      throw new Failure('UNAVAILABLE', undefined, { cause: error });
    }
  }

  const runUnlocked: Read = (queries) => retryWhile(isLocked, lockWaitMilliseconds, () => queries(db));
  const read: Read = (queries) => attempt(() => runUnlocked(queries), logFailedRead);
  const readMarkingOutage: Read = (queries) => attempt(() => runUnlocked(queries), markFailure);

  const transact = database.openWrite(db, lockWaitMilliseconds);
  async function writeMarking<Result>(
    onFailure: (error: unknown) => void,
    ...args: Parameters<typeof transact<Result>>
  ) {
    const result = await attempt(() => transact(...args), onFailure);
    if (!isWritable) {
      log?.info('the store can be written again');
      hasLoggedRead = false;
    }
    isWritable = true;
    isDoubtful = false;
    isOutageLogged = false;
    return result;
  }
  const write: Write = (work, options) => writeMarking(markFailure, work, options);

  return {
    /** If it fails, `isWritable` stays as it is; only the first failure is logged, anew after each outage of writes. */
    read,
    /** As `read`, for what writes depend on: if it fails, `isWritable` is false, as after a failed write. */
    readMarkingOutage,
    write,

    /**
     * False after a write or `readMarkingOutage` has thrown `UNAVAILABLE`, until a write succeeds. After an error
     * that may concern that work alone, it stays true until `probeWrite` fails, too.
     */
    isWritable: () => isWritable,

    /** Returns a value that changes with each commit of any process; null while writes fail. Throws as the database. */
    readVersion: async () => (isWritable && !isDoubtful ? database.readVersion(db) : null),

    /** Tries a write that leaves nothing behind, unless the last ones succeeded. Throws `UNAVAILABLE` if it fails. */
    async probeWrite(): Promise<void> {
      if (isWritable && !isDoubtful) return;
      await writeMarking(markOutage, database.probeWrite);
    },
  };
}
