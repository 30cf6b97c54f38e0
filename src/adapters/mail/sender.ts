import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Failure } from '../../model/failure.ts';
import { type Email, isReportKind, type QueuedNotice } from '../../model/notice.ts';
import type { Services } from '../../operations/ports.ts';
import type { QueuedMail } from '../store/outbox.ts';
import type { DurableStore } from '../store/store.ts';
import { type Mailer, MailFailure } from './mailer.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

/** The interval between looks for due mail without a `wake` while mail waits: for a retry, an hour or a lease to end. */
const pollMilliseconds = 5_000;
/** The same interval while no mail waits. Mail that is queued later wakes the loop. */
const idleMilliseconds = 60_000;
const sendTimeoutMilliseconds = 60_000;
const renewLeaseMilliseconds = 5_000;
const stopTimeoutMilliseconds = 5_000;
const firstRetryMilliseconds = 30_000;
/** A mail is given up after a day and at least 20 attempts, in case the service was down for most of the day. */
const giveUpAttempts = 20;

interface SenderOptions {
  readonly store: Pick<DurableStore, 'outbox'>;
  readonly mailer: Mailer;
  /** Composes one e-mail from the notices of a mail; without what visitors wrote unless `hasTexts`. */
  readonly toEmail: (notices: readonly QueuedNotice[], hasTexts: boolean) => Email;
  /** Returns the owner's address when a mail is sent; undefined counts as a failed attempt. */
  readonly to: () => string | undefined;
  readonly audit: Services['audit'];
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Starts the loop that sends mail, one after another, while this process has the lease. Each is sent at least once; SECURITY.md
 * lists when it comes twice. One that fails is deferred with backoff, sent without texts if its content is refused, and given
 * up if refused for good, or after a day and 20 attempts.
 */
export function startSender({ store: { outbox }, mailer, toEmail, to, audit, now, log }: SenderOptions) {
  const sendAbort = new AbortController();
  let pollWait = new AbortController();
  let isStopping = false;
  let isHealthy = true;
  let hasDeadLetter = false;
  /** Stores the result of the last mail. Kept while the store fails, so that a sent mail is not sent again. */
  let settle: (() => Promise<void>) | null = null;

  const running = run();
  return {
    /** Makes the loop look for due mail immediately; call it when this process has queued some. */
    wake(): void {
      // A reason, because without one each call makes an error with its stack, even if already aborted.
      pollWait.abort('wake');
    },
    /** False after a notice or the store failed, until a notice is sent; also false for a day after a dead letter. */
    isHealthy: () => isHealthy && !hasDeadLetter,
    /** Resolves once the current mail is done; after 5 s it is aborted and made due immediately. */
    async stop(): Promise<void> {
      isStopping = true;
      pollWait.abort();
      const timer = setTimeout(() => sendAbort.abort(), stopTimeoutMilliseconds);
      await running;
      clearTimeout(timer);
    },
  };

  async function run(): Promise<void> {
    while (!isStopping) {
      pollWait = new AbortController(); // before the store is read, so that no wake is lost
      const isIdle = await sendDue().catch(reportStore);
      const milliseconds = isIdle ? idleMilliseconds : pollMilliseconds;
      if (!isStopping) await pause(milliseconds, undefined, { signal: pollWait.signal }).catch(() => {});
    }
    await settle?.().catch(reportStore);
    await outbox.releaseLease().catch(reportStore);
  }

  function reportStore(error: unknown): false {
    isHealthy = false;
    // The store logs its own outage, as a Failure.
    if (!(error instanceof Failure)) log.error({ err: error }, 'the outbox could not read or write the store');
    return false;
  }

  /** Sends all due mail; returns whether none is left waiting. */
  async function sendDue(): Promise<boolean> {
    for (;;) {
      await settle?.();
      settle = null;
      const mail = isStopping ? null : await outbox.claim(now());
      if (mail === null) break;
      settle = await attempt(mail);
    }
    hasDeadLetter = await outbox.hasDeadLetterSince(new Date(now().getTime() - day));
    return !(await outbox.hasWaiting());
  }

  /** Sends a mail; returns a function that stores the result. */
  async function attempt(mail: QueuedMail): Promise<() => Promise<void>> {
    const { id, notices } = mail;
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      // If renewing fails, the lease may end, and another process may send the mail again, under the same Message-ID.
      renewal = outbox.renewLease().catch(() => {});
    }, renewLeaseMilliseconds);
    try {
      await send(mail, true).catch((error: unknown) => sendBrief(mail, error));
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return failed(mail, error);
    } finally {
      clearInterval(timer);
      await renewal;
    }
    const sentAt = now();
    return async () => {
      const isWhole = await outbox.markSent(mail, sentAt);
      if (!isWhole) await mailer.removeFile(id); // written after the erasure had removed the files
      // Visitors' mail does not show whether the owner's can be sent.
      if (notices[0]!.recipient === undefined) isHealthy = true;
      log.info({ id, notices: notices.length }, 'mail sent');
    };
  }

  async function send({ id, createdAt, notices }: QueuedMail, hasTexts: boolean): Promise<void> {
    const owner = to();
    const { kind, recipient: address = owner, thread } = notices[0]!;
    const email = toEmail(notices, hasTexts);
    // The current OWNER_EMAIL, because an answer to the reply goes there.
    const replyTo = kind === 'reply' ? owner : email.replyTo;
    if (address === undefined || replyTo === undefined) throw new MailFailure('the owner has no address');
    const signal = AbortSignal.any([sendAbort.signal, AbortSignal.timeout(sendTimeoutMilliseconds)]);
    const message = { ...email, replyTo, ...(thread !== undefined && { thread }), isWritten: kind === 'reply' };
    await mailer.send({ ...message, id, createdAt, to: address }, signal);
  }

  /** Sends a mail without the visitors' texts if its content was refused for the last time; otherwise throws the error. */
  async function sendBrief(mail: QueuedMail, error: unknown): Promise<void> {
    const isRefused = error instanceof MailFailure && error.isAboutContent && isFinal(mail, error);
    if (!isRefused || !isReportKind(mail.notices[0]!.kind)) throw error;
    log.warn({ id: mail.id, reason: error.message }, 'mail refused: it is sent without what visitors wrote');
    await send(mail, false);
  }

  function isFinal({ attempts, createdAt }: QueuedMail, { isPermanent }: MailFailure): boolean {
    return isPermanent || (now().getTime() - createdAt.getTime() >= day && attempts >= giveUpAttempts);
  }

  function failed(mail: QueuedMail, failure: MailFailure): () => Promise<void> {
    const { id, attempts } = mail;
    const { kind } = mail.notices[0]!;
    const reason = failure.message;
    const failedAt = now();
    if (sendAbort.signal.aborted) return () => outbox.defer(mail, failedAt, reason);
    // Anybody can ask for a link to sign in, or a code, or give an address for a reply that takes no mail.
    if (isReportKind(kind)) isHealthy = false;
    if (isFinal(mail, failure))
      return async () => {
        await outbox.giveUp(mail, reason);
        audit({ event: 'dead_letter', detail: `${id} ${reason}` });
        log.error({ id, reason, kind }, 'mail given up');
      };
    return async () => {
      await outbox.defer(mail, new Date(failedAt.getTime() + backoffMilliseconds(attempts)), reason);
      log.warn({ id, reason, attempts }, 'mail deferred');
    };
  }
}

/** Doubles from 30 s with each attempt up to an hour, less a random part of up to half, so that retries spread out. */
function backoffMilliseconds(attempts: number): number {
  const milliseconds = Math.min(firstRetryMilliseconds * 2 ** (attempts - 1), hour);
  return milliseconds * (1 - Math.random() / 2);
}
