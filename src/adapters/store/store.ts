import { Kysely, sql } from 'kysely';
import type { Store } from '../../operations/ports.ts';
import type { RevocationStore } from '../tokens/revocations.ts';
import { contactsOf } from './contacts.ts';
import type { Database, Read, Write } from './database.ts';
import { type AccessOptions, accessTo } from './database-access.ts';
import { ownerEventsOf, signInsOf } from './desk.ts';
import { expiryOf } from './expiry.ts';
import { retryWhileLocked } from './lock-wait.ts';
import { type MailLane, type MailsPerHour, unlimitedMails } from './mail-budget.ts';
import { migrate } from './migrations.ts';
import { oauthClientsOf, oauthRecordsOf, verificationCodesOf } from './oauth.ts';
import { oauthGrantsOf } from './oauth-grants.ts';
import { outboxQueueOf } from './outbox.ts';
import { quotasOf } from './quotas.ts';
import { readersOf } from './readers.ts';
import { readsOf } from './reads.ts';
import { revocationsOf } from './revocations.ts';
import type { Tables } from './tables.ts';
import { tokensOf } from './tokens.ts';
import { unsentNoticesOf } from './unsent-notices.ts';
import { visitorsOf } from './visitors.ts';

/** The store as adapters, commands and the service see it; operations see its `Store` part alone. */
export type DurableStore = Awaited<ReturnType<typeof openStore>>;

interface Options extends AccessOptions {
  /** The budget of a process that sends mail; without it each notice is a mail of its own. */
  readonly mailsPerHour?: MailsPerHour;
}

const migrationWaitMilliseconds = 10_000;

/**
 * Opens the store and applies the missing migrations. A call, except `scrub`, throws `UNAVAILABLE` if the database cannot be used
 * at the moment. Dispose of it with `close`.
 */
export async function openStore(database: Database, options: Options = {}) {
  const { mailsPerHour = unlimitedMails } = options;
  const db = new Kysely<Tables>({ dialect: database.dialect });
  let onMailQueued: (lane: MailLane) => void = () => {};
  const { read, readMarkingOutage, write, isWritable, probeWrite } = accessTo(database, db, options);

  try {
    await retryWhileLocked(database.isLocked, migrationWaitMilliseconds, () => database.migrate(db, migrate));
  } catch (error) {
    await db.destroy();
    throw error;
  }

  const onOwnersMail = () => onMailQueued('owner');
  return {
    contacts: contactsOf({
      read,
      readMarkingOutage,
      write,
      lowerCase: database.lowerCase,
      onMailQueued: onOwnersMail,
    }),
    tokens: tokensOf(readMarkingOutage, write, onOwnersMail),
    revocations: revocationsOf(readMarkingOutage, write),
    quotas: quotasOf(readMarkingOutage, write),
    outbox: {
      ...outboxQueueOf(read, write, mailsPerHour),
      ...unsentNoticesOf(read, write, mailsPerHour),
      /** Sets the listener that is called after the commit of each notice, with its lane. */
      onQueued(listener: (lane: MailLane) => void): void {
        onMailQueued = listener;
      },
    },
    reads: readsOf(read, write, database),
    readers: readersOf(read, write),
    visitors: visitorsOf(read, write),
    expiry: expiryOf(read, write),
    desk: { ...signInsOf(read, write, onOwnersMail), ...ownerEventsOf(read, write) },
    oauth: {
      clients: oauthClientsOf(readMarkingOutage, write),
      grants: oauthGrantsOf(readMarkingOutage, write, onOwnersMail),
      records: oauthRecordsOf(readMarkingOutage, write),
      codes: verificationCodesOf(readMarkingOutage, write, () => onMailQueued('visitors')),
    },
    profileChanges: profileChangesOf(read, write),
    readClock: () => read(database.readClock),
    scrub: () => database.scrub(db),
    isWritable,
    probeWrite,
    close: () => db.destroy(),
  } satisfies Store & RevocationStore & Record<string, unknown>;
}

/** How often processes have loaded a change of each part of the profile, from which each learns of the changes that others load. */
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
