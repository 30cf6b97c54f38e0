import { type Dialect, Kysely, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import type { Contact, IssuedToken, Notice, QuotaCharge, Sender, Store } from '../../operations/ports.ts';
import { type Revocation, type RevocationStore, refuseRevoked } from '../tokens/revocations.ts';
import { groupCommits, type Write } from './group-commit.ts';
import { hasKey, takeKey } from './idempotency-keys.ts';
import { type MailsPerHour, unlimitedMails } from './mail-budget.ts';
import { migrate, type Tables } from './migrations.ts';
import { mailQueueOf, queueMail } from './outbox-queue.ts';
import { quotaWindowsOf } from './quota-windows.ts';
import { isUnavailable } from './sqlite/error-codes.ts';
import { retryWhileLocked } from './sqlite/lock-wait.ts';
import { scrub } from './sqlite/scrub.ts';
import { unsentNoticesOf } from './unsent-notices.ts';
import { visitorDataOf } from './visitor-data.ts';

/** The store as the adapters and commands see it. */
export type DurableStore = Awaited<ReturnType<typeof openStore>>;

interface Options {
  /** For who sends; without it each notice is a mail of its own. */
  readonly mailsPerHour?: MailsPerHour;
  /** How long a call waits while another process holds the write lock; 1 s if it is not given. */
  readonly lockWaitMilliseconds?: number;
  /** Told once when the database begins to fail, and once when it can be written again. */
  readonly log?: Pick<Logger, 'error' | 'info'>;
}

const migrationWaitMilliseconds = 10_000;

/** Opens the store and brings its tables up to date. */
export async function openStore(dialect: Dialect, options: Options = {}) {
  const { mailsPerHour = unlimitedMails, lockWaitMilliseconds = 1_000, log } = options;
  const db = new Kysely<Tables>({ dialect });
  let isWritable = true;
  let onMailQueued = () => {};

  /** Throws `UNAVAILABLE` for what the database cannot do at the moment. */
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (isWritable) log?.error({ err: error }, 'the store cannot be written');
      isWritable = false;
      throw new Failure('UNAVAILABLE', undefined, { cause: error });
    }
  }

  const transact = groupCommits(db, { isFatal: isUnavailable, lockWaitMilliseconds });
  const write: Write = async (work) => {
    const result = await attempt(() => transact(work));
    if (!isWritable) log?.info('the store can be written again');
    isWritable = true;
    return result;
  };
  // In WAL mode a reader meets a lock only while another process recovers the log after a crash.
  const read = <Result>(work: () => Promise<Result>) => attempt(() => retryWhileLocked(lockWaitMilliseconds, work));
  const quotas = quotaWindowsOf(db, write);

  try {
    await retryWhileLocked(migrationWaitMilliseconds, () => migrate(db));
  } catch (error) {
    await db.destroy();
    throw error;
  }

  return {
    ...mailQueueOf(db, write, mailsPerHour),
    ...visitorDataOf(db, write),
    ...unsentNoticesOf(db, write, mailsPerHour),
    scrub: () => scrub(db),
    hasKey: (subject: string, key: string, now: Date) => read(() => hasKey(db, subject, key, now)),
    takeQuotas: (charges: readonly QuotaCharge[], now: Date) => read(() => quotas.takeQuotas(charges, now)),

    async addContact({ receivedAt, ...contact }: Contact, notice: Notice, sender: Sender | null): Promise<string> {
      const id = await write(async (trx) => {
        const held = sender === null ? contact.id : await claimFor(trx, sender, contact.id, receivedAt);
        if (held !== contact.id) return held;
        const received_at = receivedAt.toISOString();
        await trx
          .insertInto('contacts')
          .values({
            ...contact,
            received_at,
            canonical_email: toCanonicalAddress(contact.email),
            canonical_subject: contact.subject && toCanonicalAddress(contact.subject),
          })
          .execute();
        await queueMail(trx, notice, receivedAt);
        return held;
      });
      if (id === contact.id) onMailQueued();
      return id;
    },

    async addToken({ jti, subject, issuedAt, expiresAt }: IssuedToken, notice: Notice): Promise<void> {
      await write(async (trx) => {
        const [issued_at, expires_at] = [issuedAt.toISOString(), expiresAt.toISOString()];
        const canonical_subject = toCanonicalAddress(subject);
        await trx
          .insertInto('issued_tokens')
          .values({ jti, subject, canonical_subject, issued_at, expires_at })
          .execute();
        await queueMail(trx, notice, issuedAt);
      });
      onMailQueued();
    },

    /** When the latest notice was queued, of which each token and contact request has one; null if none is kept. */
    async latestAt(): Promise<Date | null> {
      const { latest } = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.max('created_at').as('latest'))
        .executeTakeFirstOrThrow();
      return latest === null ? null : new Date(latest);
    },

    /** The tokens that have not expired, the latest issued first. */
    async unexpiredTokens(now: Date): Promise<IssuedToken[]> {
      const unexpired = db.selectFrom('issued_tokens').selectAll().where('expires_at', '>', now.toISOString());
      const rows = await read(() => unexpired.orderBy('issued_at', 'desc').orderBy('jti').execute());
      return rows.map(({ jti, subject, issued_at, expires_at }) => ({
        jti,
        subject,
        issuedAt: new Date(issued_at),
        expiresAt: new Date(expires_at),
      }));
    },

    /** Keeps it under the next number, without gaps, so that who has read up to one number misses none after it. */
    async revoke({ kind, value, revokedAt }: Revocation): Promise<void> {
      await write(async (trx) => {
        const { last } = await trx
          .selectFrom('revocations')
          .select((eb) => eb.fn.max('sequence').as('last'))
          .executeTakeFirstOrThrow();
        const row = { sequence: (last ?? 0) + 1, kind, value, revoked_at: revokedAt.toISOString() };
        await trx.insertInto('revocations').values(row).execute();
      });
    },

    async revocationsAfter(sequence: number): Promise<(Revocation & { readonly sequence: number })[]> {
      const later = db.selectFrom('revocations').selectAll().where('sequence', '>', sequence).orderBy('sequence');
      const rows = await read(() => later.execute());
      return rows.map(({ revoked_at, ...revocation }) => ({ ...revocation, revokedAt: new Date(revoked_at) }));
    },

    /** Calls back, from now on, once a notice is safely in the outbox. */
    onMailQueued(listener: () => void): void {
      onMailQueued = listener;
    },

    /** False after a call that the database failed, until a write succeeds. */
    isWritable: () => isWritable,

    /** Writes nothing that stays, unless the database is known to be writable. Throws `UNAVAILABLE` if it still fails. */
    async probeWrite(): Promise<void> {
      if (isWritable) return;
      await write(async ({ schema }) => {
        // An empty transaction succeeds on a full disk.
        await schema.createTable('probe').addColumn('id', 'integer').execute();
        await schema.dropTable('probe').execute();
      });
    },

    close: () => db.destroy(),
  } satisfies Store & RevocationStore & Record<string, unknown>;
}

/** The id of what is kept under the sender's key, that of the new contact request if nothing is. Throws if the token was revoked. */
async function claimFor(trx: Transaction<Tables>, sender: Sender, contactId: string, now: Date): Promise<string> {
  await refuseRevoked(trx, sender);
  return sender.claim === null ? contactId : takeKey(trx, sender.token.subject, sender.claim, contactId, now);
}
