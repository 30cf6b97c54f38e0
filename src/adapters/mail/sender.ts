import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Failure } from '../../model/failure.ts';
import { type Email, isReportKind, type Notice } from '../../model/notice.ts';
import type { Services } from '../../operations/ports.ts';
import type { MailLane } from '../store/due-mail.ts';
import type { QueuedMail } from '../store/outbox.ts';
import type { DurableStore } from '../store/store.ts';
import { type Mailer, MailFailure } from './mailer.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The longest interval between looks for due mail without a `wake`, which comes when any process has queued some. */
const pollMilliseconds = minute;
/** The shortest wait: a due mail that could not be claimed is being claimed by another process. */
const shortestPollMilliseconds = 50;
const sendTimeoutMilliseconds = minute;
/** How long the mail of a killed process waits before it can be claimed again. */
const leaseMilliseconds = 15 * second;
const renewLeaseMilliseconds = 5 * second;
const stopTimeoutMilliseconds = 5 * second;
const firstRetryMilliseconds = 30 * second;
const maxRetryMilliseconds = hour;
/** A mail is given up after a day and at least 20 attempts, in case the service was down for most of the day. */
const giveUpMilliseconds = day;
const giveUpAttempts = 20;

/** The lane of each worker. Visitors have several, so that one slow mail server does not hold up the codes of all. */
const lanes: readonly MailLane[] = ['owner', 'visitors', 'visitors', 'visitors'];

interface Worker {
  readonly lane: MailLane;
  /** Ends the pause before the next look for due mail. */
  pollWait: AbortController;
}

interface Options {
  readonly store: Pick<DurableStore, 'outbox'>;
  readonly mailer: Mailer;
  /** Composes one e-mail from the notices of a mail. */
  readonly toEmail: (notices: readonly Notice[]) => Email;
  /** Returns the owner's address when a mail is sent; undefined counts as a failed attempt. */
  readonly to: () => string | undefined;
  readonly audit: Services['audit'];
  readonly now: () => Date;
  /** Reads the clock of leases, the database's, which other processes compare them with; `now` if not given. */
  readonly readClock?: () => Promise<Date>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Starts one worker for mail to the owner and three for mail to visitors. Each sends one mail at a time: it claims it
 * under a lease, renews the lease while it sends, then marks it sent. Delivery is at least once: if the process is
 * killed before the mark, the mail is sent again under the same Message-ID when the lease has expired. A mail that
 * fails is deferred with exponential backoff and jitter. It becomes a dead letter if the server refuses it permanently,
 * or after a day and at least 20 attempts; but a digest whose content is refused is split in halves, so that only the
 * refused notice becomes one. A mail with a link or a code is discarded when that has expired, or if the server refuses
 * it permanently.
 */
export function startSender(options: Options) {
  const { store, mailer, toEmail, to, audit, now, readClock = async () => now(), log } = options;
  const sendAbort = new AbortController();
  const workers = lanes.map((lane): Worker => ({ lane, pollWait: new AbortController() }));
  let isStopping = false;
  let isHealthy = true;
  let hasDeadLetter = false;
  /** Mails that were sent but not marked, because the store failed: when claimed again they are only marked. */
  const sentIds = new Set<string>();

  const fromNow = (milliseconds: number) => new Date(now().getTime() + milliseconds);

  /** Returns begin and end of a lease. */
  async function leaseFromNow(): Promise<[Date, Date]> {
    const at = await readClock();
    return [at, new Date(at.getTime() + leaseMilliseconds)];
  }

  /** Lets the workers of a lane, or all, look for due mail at once; to be called when this process has queued some. */
  function wake(lane?: MailLane): void {
    // With a reason, because without one each call makes an error with its stack, even if it was aborted before.
    for (const worker of workers) if (worker.lane === (lane ?? worker.lane)) worker.pollWait.abort(worker.lane);
  }

  const running = Promise.all(workers.map(run));
  return {
    wake,
    /** False after a notice or the store failed, until a notice is sent; also for a day after a dead letter. */
    isHealthy: () => isHealthy && !hasDeadLetter,
    /** Resolves once the mails being sent are done; after 5 s they are aborted and made due at once. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const { pollWait } of workers) pollWait.abort();
      const timer = setTimeout(() => sendAbort.abort(), stopTimeoutMilliseconds);
      await running;
      clearTimeout(timer);
    },
  };

  async function run(worker: Worker): Promise<void> {
    while (!isStopping) {
      worker.pollWait = new AbortController(); // before the store is read, so that no wake is lost
      const milliseconds = await sendDue(worker.lane).catch((error: unknown) => {
        isHealthy = false;
        // The store logs its own outage, as a Failure.
        if (!(error instanceof Failure)) log.error({ err: error }, 'the outbox could not read or write the store');
        return pollMilliseconds;
      });
      if (isStopping) return;
      await pause(milliseconds, undefined, { signal: worker.pollWait.signal }).catch(() => {});
    }
  }

  /** Sends all due mail of a lane; returns how long to wait before the next look. */
  async function sendDue(lane: MailLane): Promise<number> {
    let marking = Promise.resolve();
    const claim = async () => store.outbox.claim(...(await leaseFromNow()), lane);
    while (!isStopping) {
      // At once, so that they share a commit. Then a process that is killed leaves one mail to repeat.
      const [mail] = await Promise.all([claim(), marking]);
      if (mail === null) break;
      if (await deliver(mail)) marking = markSent(mail, lane);
    }
    await marking;
    if (lane === 'owner') hasDeadLetter = await store.outbox.hasDeadLetterSince(fromNow(-day));
    const at = await readClock();
    const dueAt = await store.outbox.nextDueAt(at, lane);
    if (dueAt === null) return pollMilliseconds;
    return Math.min(Math.max(dueAt.getTime() - at.getTime(), shortestPollMilliseconds), pollMilliseconds);
  }

  /** Returns whether the mail was sent; otherwise it has been deferred, split or given up. */
  async function deliver(mail: QueuedMail): Promise<boolean> {
    try {
      if (!sentIds.has(mail.id)) await sendUnderLease(mail);
      return true;
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      await deferOrGiveUp(mail, error);
      return false;
    }
  }

  async function markSent(mail: QueuedMail, lane: MailLane): Promise<void> {
    const { id, notices } = mail;
    sentIds.add(id);
    const isWhole = await store.outbox.markSent(mail, now());
    if (!isWhole) await mailer.removeFile(id); // written after the erasing had removed what was there
    sentIds.delete(id);
    if (lane === 'owner') isHealthy = true;
    log.info({ id, notices: notices.length }, 'mail sent');
  }

  async function sendUnderLease(mail: QueuedMail): Promise<void> {
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      // If the store fails, the lease may expire, and another process send the mail again, under one Message-ID.
      renewal = leaseFromNow()
        .then(([at, until]) => store.outbox.renewLease(mail, at, until))
        .catch(() => {});
    }, renewLeaseMilliseconds);
    try {
      await send(mail);
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  async function send(mail: QueuedMail): Promise<void> {
    const { id, createdAt, notices } = mail;
    const owner = to();
    const { kind, recipient: address = owner, thread } = notices[0]!;
    const email = toEmail(notices);
    // OWNER_EMAIL as it is when the reply is sent, because an answer to it is to arrive there.
    const replyTo = kind === 'reply' ? owner : email.replyTo;
    if (address === undefined || replyTo === undefined) throw new MailFailure('the owner has no address');
    const signal = AbortSignal.any([sendAbort.signal, AbortSignal.timeout(sendTimeoutMilliseconds)]);
    const message = { ...email, replyTo, ...(thread !== undefined && { thread }), isWritten: kind === 'reply' };
    await mailer.send({ ...message, id, createdAt, to: address }, signal);
  }

  async function deferOrGiveUp(
    mail: QueuedMail,
    { isPermanent, isAboutContent, message: reason }: MailFailure,
  ): Promise<void> {
    const { id, attempts, createdAt, notices, expiresAt } = mail;
    if (sendAbort.signal.aborted) return await store.outbox.defer(mail, now(), now(), reason);
    // Anybody can ask for a link to sign in, or a code, or give an address for a reply that takes no mail.
    const isNotice = isReportKind(notices[0]!.kind);
    if (isNotice) isHealthy = false;
    const isExhausted = now().getTime() - createdAt.getTime() >= giveUpMilliseconds && attempts >= giveUpAttempts;
    if (!isPermanent && !isExhausted) {
      const dueAt = fromNow(backoffMilliseconds(attempts));
      await store.outbox.defer(mail, now(), expiresAt !== null && expiresAt < dueAt ? expiresAt : dueAt, reason);
      log.warn({ id, reason, attempts }, 'mail deferred');
    } else if (expiresAt !== null) {
      await store.outbox.discard(mail);
      log.error({ id, reason }, `mail with a ${notices[0]?.kind === 'sign_in' ? 'link to sign in' : 'code'} refused`);
    } else if (isAboutContent && notices.length > 1) {
      // The server may refuse only one of the notices. A refused recipient would be refused for both halves.
      await store.outbox.split(mail, now(), reason);
      log.warn({ id, reason, notices: notices.length }, 'mail refused: its notices are sent in two halves');
    } else {
      await store.outbox.giveUp(mail, reason);
      hasDeadLetter ||= isNotice;
      audit({ event: 'dead_letter', detail: `${id} ${reason}` });
      log.error({ id, reason }, 'mail given up');
    }
  }
}

/** Doubles from 30 s with each attempt up to an hour, less a random part of up to half, so that retries spread out. */
function backoffMilliseconds(attempts: number): number {
  const milliseconds = Math.min(firstRetryMilliseconds * 2 ** (attempts - 1), maxRetryMilliseconds);
  return milliseconds * (1 - Math.random() / 2);
}
