import { Kysely, type Transaction } from 'kysely';
import type { Contact } from '../../model/contact.ts';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { IssuedToken } from '../../model/grant.ts';
import type { Notice } from '../../model/notice.ts';
import type { QuotaCharge } from '../../model/quota.ts';
import type { Sender, Store } from '../../operations/ports.ts';
import type { RevocationStore } from '../tokens/revocations.ts';
import type { Database } from './database.ts';
import { type AccessOptions, accessTo } from './database-access.ts';
import { activityOf } from './desk/activity.ts';
import { inboxOf } from './desk/inbox.ts';
import { ownerEventsOf } from './desk/owner-events.ts';
import { readersOf } from './desk/readers.ts';
import { signInsOf } from './desk/sign-ins.ts';
import { expiredDataOf } from './erasing/expired-data.ts';
import { claimKey, hasKey } from './idempotency-keys.ts';
import { retryWhileLocked } from './lock-wait.ts';
import { migrate } from './migrations.ts';
import { oauthClientsOf } from './oauth/clients.ts';
import { oauthGrantsOf } from './oauth/grants.ts';
import { oauthRecordsOf } from './oauth/records.ts';
import { verificationCodesOf } from './oauth/verification-codes.ts';
import { type MailLane, type MailsPerHour, unlimitedMails } from './outbox/mail-budget.ts';
import { outboxQueueOf, queueNotice } from './outbox/outbox-queue.ts';
import { unsentNoticesOf } from './outbox/unsent-notices.ts';
import { profileChangesOf } from './polled/profile-changes.ts';
import { refuseRevoked, storedRevocationsOf } from './polled/stored-revocations.ts';
import { countUses, quotaWindowsOf } from './quota-windows.ts';
import { storedReadsOf } from './stored-reads.ts';
import { storedTokensOf } from './stored-tokens.ts';
import type { Tables } from './tables.ts';
import { visitorDataOf } from './visitor-data.ts';

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

  return {
    ...outboxQueueOf(read, write, mailsPerHour),
    ...visitorDataOf(read, write),
    ...expiredDataOf(read, write),
    ...unsentNoticesOf(read, write, mailsPerHour),
    ...quotaWindowsOf(readMarkingOutage, write),
    ...storedRevocationsOf(readMarkingOutage, write),
    ...profileChangesOf(read, write),
    ...storedReadsOf(read, write, database),
    ...signInsOf(read, write, () => onMailQueued('owner')),
    ...readersOf(read, write),
    ...activityOf(read),
    ...ownerEventsOf(read, write),
    ...inboxOf(read, write, database.lowerCase),
    ...oauthClientsOf(readMarkingOutage, write),
    ...oauthGrantsOf(readMarkingOutage, write, () => onMailQueued('owner')),
    ...storedTokensOf(readMarkingOutage),
    ...oauthRecordsOf(readMarkingOutage, write),
    ...verificationCodesOf(readMarkingOutage, write, () => onMailQueued('visitors')),
    readClock: () => read(database.readClock),
    scrub: () => database.scrub(db),
    hasKey: (subject: string, key: string, now: Date) => readMarkingOutage((db) => hasKey(db, subject, key, now)),

    async addContact(
      { receivedAt, ...contact }: Contact,
      notice: Notice,
      sender: Sender | null,
      charges: readonly QuotaCharge[] = [],
    ): Promise<string> {
      const id = await write(async (trx) => {
        const keptId = sender === null ? contact.id : await checkAndClaim(trx, sender, contact.id, receivedAt);
        if (keptId !== contact.id) return keptId;
        await countUses(trx, charges, receivedAt);
        const received_at = receivedAt.toISOString();
        await trx
          .insertInto('contacts')
          .values({
            ...contact,
            received_at,
            state: 'unread',
            canonical_email: toCanonicalAddress(contact.email),
            canonical_subject: contact.subject && toCanonicalAddress(contact.subject),
          })
          .execute();
        await queueNotice(trx, notice, receivedAt);
        return keptId;
      });
      if (id === contact.id) onMailQueued('owner');
      return id;
    },

    async addToken(
      { jti, subject, issuedAt, expiresAt }: IssuedToken,
      notice: Notice,
      charges: readonly QuotaCharge[] = [],
      now = issuedAt,
    ): Promise<void> {
      await write(async (trx) => {
        await countUses(trx, charges, now);
        const [issued_at, expires_at] = [issuedAt.toISOString(), expiresAt.toISOString()];
        const canonical_subject = toCanonicalAddress(subject);
        await trx
          .insertInto('issued_tokens')
          .values({ jti, subject, canonical_subject, issued_at, expires_at, grant_id: null })
          .execute();
        await queueNotice(trx, notice, issuedAt);
      });
      onMailQueued('owner');
    },

    /** Returns when the latest stored notice was queued (each token and contact request queues one); null if none is stored. */
    async latestAt(): Promise<Date | null> {
      const { latest } = await read((db) =>
        db
          .selectFrom('outbox')
          .select((eb) => eb.fn.max('created_at').as('latest'))
          .executeTakeFirstOrThrow(),
      );
      return latest === null ? null : new Date(latest);
    },

    /** Sets the listener that is called after the commit of each notice, with its lane. */
    onMailQueued(listener: (lane: MailLane) => void): void {
      onMailQueued = listener;
    },

    isWritable,
    probeWrite,
    close: () => db.destroy(),
  } satisfies Store & RevocationStore & Record<string, unknown>;
}

/** Refuses a revoked token, then claims the sender's key, if any; returns the id of the request that holds it, or `contactId`. */
async function checkAndClaim(trx: Transaction<Tables>, sender: Sender, contactId: string, now: Date): Promise<string> {
  await refuseRevoked(trx, sender);
  return sender.claim === null ? contactId : claimKey(trx, sender.token.subject, sender.claim, contactId, now);
}
