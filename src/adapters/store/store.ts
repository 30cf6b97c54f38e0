import { Kysely, sql, type Transaction } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Store } from '../../operations/ports.ts';
import { contactsOf } from './contacts.ts';
import { type Access, type Database, retryWhile, type Write } from './database.ts';
import { ownerEventsOf, signInsOf } from './desk.ts';
import { expiryOf } from './expiry.ts';
import { linksOf } from './links.ts';
import { migrate } from './migrations.ts';
import { oauthClientsOf, oauthRecordsOf, verificationCodesOf } from './oauth.ts';
import { oauthGrantsOf } from './oauth-grants.ts';
import { outboxOf, takeQueued } from './outbox.ts';
import { pageSessionsOf } from './page-sessions.ts';
import type { PostgresOptions } from './postgres/postgres.ts';
import { profileVersionsOf, proposalsOf } from './profile-texts.ts';
import { quotasOf } from './quotas.ts';
import { readersOf } from './readers.ts';
import { readsOf } from './reads.ts';
import { repliesOf } from './replies.ts';
import type { Tables } from './tables.ts';
import { revocationsOf, tokensOf, tokenViewsOf } from './tokens.ts';
import { visitorsOf } from './visitors.ts';
import { visitEventsOf } from './visits.ts';
import { workingCopyOf } from './working-copy.ts';

/** An SQLite file, or the address of a PostgreSQL database. `name` is for messages and has no password. */
export type DatabasePlace =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly url: string };

/** Opens the database in a place; warns of a file that is open to others. Throws a one-line error. */
export async function openDatabase(place: DatabasePlace, options: PostgresOptions): Promise<Database> {
  // Loads only the configured database, because loading takes time at each start.
  if ('url' in place) return (await import('./postgres/postgres.ts')).openPostgres(place.url, options);
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.file, options.warn);
}

/** The store for adapters, commands and the service; operations of visitors see only its `Store` part. */
export type DurableStore = Awaited<ReturnType<typeof openStore>>;

interface StoreOptions {
  /** The budget of a process that sends mail; without it each notice is a mail of its own. */
  readonly mailsPerHour?: number;
  /** How long a call waits for a lock that another process holds; 1 s by default. */
  readonly lockWaitMilliseconds?: number;
  /** Receives one line when the database begins to fail, when it can be written again, and when reads fail. */
  readonly log?: { error(fields: object, message: string): void; info(message: string): void };
}

const migrationWaitMilliseconds = 10_000;

/** Opens and migrates the store. Calls, except `scrub`, throw `UNAVAILABLE` while the database cannot be used. */
export async function openStore(database: Database, options: StoreOptions = {}) {
  const { mailsPerHour = Number.POSITIVE_INFINITY } = options;
  const db = new Kysely<Tables>({ dialect: database.dialect });
  let onMailQueued = () => {};
  const access = accessTo(database, db, options, () => onMailQueued());
  const { read, isWritable, readVersion, probeWrite } = access;

  try {
    await retryWhile(database.isLocked, migrationWaitMilliseconds, () => database.migrate(db, migrate));
  } catch (error) {
    await db.destroy();
    throw error;
  }

  return {
    contacts: contactsOf(access),
    tokens: tokensOf(access),
    links: linksOf(access),
    pageSessions: pageSessionsOf(access),
    revocations: revocationsOf(access),
    tokenViews: tokenViewsOf(access),
    quotas: quotasOf(access),
    outbox: {
      ...outboxOf(access, mailsPerHour),
      onQueued(listener: () => void): void {
        onMailQueued = listener;
      },
    },
    reads: readsOf(access),
    readers: { ...readersOf(access), ...visitEventsOf(access) },
    replies: repliesOf(access),
    visitors: visitorsOf(access),
    expiry: expiryOf(access),
    desk: { ...signInsOf(access), ...ownerEventsOf(access) },
    oauth: {
      clients: oauthClientsOf(access),
      grants: oauthGrantsOf(access),
      records: oauthRecordsOf(access),
      codes: verificationCodesOf(access),
    },
    profileChanges: profileChangesOf(access),
    profileVersions: profileVersionsOf(access),
    proposals: proposalsOf(access),
    workingCopy: workingCopyOf(access),
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
  } satisfies Store & Record<string, unknown>;
}

/** Counters of loaded profile changes, by which each process learns of changes that others have loaded. */
function profileChangesOf({ read, write }: Access) {
  return {
    counts: (): Promise<ReadonlyMap<string, number>> => read(changesIn),

    add: (parts: readonly string[]): Promise<ReadonlyMap<string, number>> =>
      write(async (trx) => {
        // In the same order, so that two transactions do not deadlock.
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

const failed = 'the store failed';
const busy = 'the store is busy or refuses some work';
/** The time before a line about the database is repeated. */
const quietMilliseconds = 60_000;

/** Gives access to the database; reads and writes throw `UNAVAILABLE` if it cannot be used at the moment. */
function accessTo(
  database: Database,
  db: Kysely<Tables>,
  { lockWaitMilliseconds = 1_000, log }: StoreOptions,
  onMailQueued: () => void,
) {
  const { isLocked, isUnavailable, mayBePartial } = database;
  let isWritable = true;
  /** Whether work has failed since the last successful write: the next probe shows whether all writes fail. */
  let isDoubtful = false;
  /** Whether the log says that the store failed since the last successful write. */
  let hasLoggedFailure = false;
  const quietUntil = new Map<string, number>();

  /** Logs an outage once, and other failures at most once a minute. */
  function report(error: unknown, message: string, isOutage: boolean): void {
    const isQuiet = !isOutage && performance.now() < (quietUntil.get(message) ?? 0);
    if (!isWritable || isQuiet || (message === failed && hasLoggedFailure)) return;
    log?.error({ err: error }, message);
    quietUntil.set(message, performance.now() + quietMilliseconds);
    hasLoggedFailure ||= message === failed;
  }

  async function attempt<Result>(kind: 'read' | 'write' | 'probe', work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const isPartial = kind !== 'probe' && mayBePartial(error);
      // A damaged table may fail all reads of it while writes succeed.
      const isOutage = kind !== 'read' && !isPartial;
      report(error, isPartial ? busy : failed, isOutage);
      isDoubtful = true;
      if (isOutage) isWritable = false;
      throw new Failure('UNAVAILABLE', undefined, { cause: error });
    }
  }

  const transact = database.openWrite(db, lockWaitMilliseconds);
  async function writeAs<Result>(kind: 'write' | 'probe', ...work: Parameters<typeof transact<Result>>) {
    const result = await attempt(kind, () => transact(...work));
    if (!isWritable) log?.info('the store can be written again');
    isWritable = true;
    hasLoggedFailure = false;
    isDoubtful = false;
    return result;
  }

  const write: Write = async (work, options) => {
    let hasQueued = false;
    const run = async (trx: Transaction<Tables>) => {
      const result = await work(trx);
      hasQueued = takeQueued(trx);
      return result;
    };
    const result = await writeAs('write', run, options);
    if (hasQueued) onMailQueued();
    return result;
  };

  return {
    database,
    read: (queries) => attempt('read', () => retryWhile(isLocked, lockWaitMilliseconds, () => queries(db))),
    write,
    change: async (toStatement) => void (await write((trx) => toStatement(trx).execute())),

    /** False after a write has thrown `UNAVAILABLE`, unless its error may concern only that write, until a write succeeds. */
    isWritable: () => isWritable,

    /** Returns a value that changes with each commit of any process; null after a failure. Throws the database's errors. */
    readVersion: async () => (isWritable && !isDoubtful ? database.readVersion(db) : null),

    /** After a failure, tries a write that leaves nothing behind. Throws `UNAVAILABLE` if it fails. */
    async probeWrite(): Promise<void> {
      if (!isWritable || isDoubtful) await writeAs('probe', database.probeWrite);
    },
  } satisfies Access & Record<string, unknown>;
}
