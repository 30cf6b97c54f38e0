import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Failure } from '../../model/failure.ts';
import type { Email, Notice, Services } from '../../operations/ports.ts';
import type { QueuedMail } from '../store/outbox-queue.ts';
import type { DurableStore } from '../store/store.ts';
import { MailFailure } from './mail-failure.ts';
import type { Mailer } from './mailer.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const pollMilliseconds = 10 * second; // finds what other processes have queued or left behind, whatever the clock does
const sendMilliseconds = minute;
const leaseMilliseconds = 15 * second; // how long the mail of a killed process waits
const renewMilliseconds = 5 * second;
const stopMilliseconds = 5 * second;
const firstRetryMilliseconds = 30 * second;
const longestRetryMilliseconds = hour;
const giveUpAttempts = 20; // fewer than a day of tries makes: a mail that waited for the service is not given up at once

interface Options {
  readonly store: Pick<
    DurableStore,
    | 'claimMail'
    | 'renewLease'
    | 'markMailSent'
    | 'deferMail'
    | 'splitMail'
    | 'giveUpMail'
    | 'nextMailDueAt'
    | 'hasDeadLetterSince'
  >;
  readonly mailer: Pick<Mailer, 'send'>;
  /** What is written of notices that go out together. */
  readonly toEmail: (notices: readonly Notice[]) => Email;
  /** The owner's address at the moment of sending; undefined puts the mail off. */
  readonly to: () => string | undefined;
  readonly audit: Services['audit'];
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Sends what is queued, one at a time and each at least once, until it is stopped. */
export function startOutbox({ store, mailer, toEmail, to, audit, now, log }: Options) {
  const givingUp = new AbortController();
  let alarm = new AbortController();
  let isStopping = false;
  let isHealthy = true;
  let hasDeadLetter = false;
  // Sent, but perhaps not marked yet because the store failed: such a mail is not sent again, only marked.
  const sent = new Set<string>();

  const fromNow = (milliseconds: number) => new Date(now().getTime() + milliseconds);

  const running = run();
  return {
    /** Looks for due mail at once. */
    wake: () => alarm.abort(),
    /**
     * False after a mail that could not be delivered, or a store that did not answer, until the next success, and for as
     * long as a dead letter of the last day is left.
     */
    isHealthy: () => isHealthy && !hasDeadLetter,
    /** Ends after the mail that is being sent; one that takes longer than 5 s is left for the next start. */
    async stop(): Promise<void> {
      isStopping = true;
      alarm.abort();
      const timer = setTimeout(() => givingUp.abort(), stopMilliseconds);
      await running;
      clearTimeout(timer);
    },
  };

  async function run(): Promise<void> {
    while (!isStopping) {
      alarm = new AbortController(); // made before looking, so that no wake is missed
      const milliseconds = await sendDue().catch((error: unknown) => {
        isHealthy = false;
        // The store itself has told of its outage.
        if (!(error instanceof Failure)) log.error({ err: error }, 'the outbox could not read or write the store');
        return pollMilliseconds;
      });
      if (isStopping) return;
      await pause(milliseconds, undefined, { signal: alarm.signal }).catch(() => {});
    }
  }

  /** Sends all that is due; returns how long to wait before looking again. */
  async function sendDue(): Promise<number> {
    while (!isStopping) {
      const mail = await store.claimMail(now(), fromNow(leaseMilliseconds));
      if (mail === null) break;
      await deliver(mail);
    }
    hasDeadLetter = await store.hasDeadLetterSince(fromNow(-day));
    const dueAt = await store.nextMailDueAt(now());
    if (dueAt === null) return pollMilliseconds;
    return Math.min(Math.max(dueAt.getTime() - now().getTime(), 0), pollMilliseconds);
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    const { id, notices } = mail;
    try {
      if (!sent.has(id)) await sendUnderLease(mail);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return await recover(mail, error);
    }
    sent.add(id);
    await store.markMailSent(mail, now());
    sent.delete(id);
    isHealthy = true;
    log.info({ id, notices: notices.length }, 'mail sent');
  }

  async function sendUnderLease(mail: QueuedMail): Promise<void> {
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      // If the store cannot be written the lease may end, and the mail come twice under one Message-ID.
      renewal = store.renewLease(mail, now(), fromNow(leaseMilliseconds)).catch(() => {});
    }, renewMilliseconds);
    try {
      await send(mail);
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  async function send(mail: QueuedMail): Promise<void> {
    const address = to();
    if (address === undefined) throw new MailFailure('the owner has no address');
    const signal = AbortSignal.any([givingUp.signal, AbortSignal.timeout(sendMilliseconds)]);
    const { id, createdAt, notices } = mail;
    await mailer.send({ ...toEmail(notices), id, createdAt, to: address }, signal);
  }

  async function recover(
    mail: QueuedMail,
    { isPermanent, isAboutContent, message: reason }: MailFailure,
  ): Promise<void> {
    const { id, attempts, createdAt, notices } = mail;
    if (givingUp.signal.aborted) return await store.deferMail(mail, now(), now(), reason);
    isHealthy = false;
    const isOld = now().getTime() - createdAt.getTime() >= day && attempts >= giveUpAttempts;
    if (!isPermanent && !isOld) {
      await store.deferMail(mail, now(), fromNow(retryMillisecondsAfter(attempts)), reason);
      log.warn({ id, reason, attempts }, 'mail put off');
    } else if (isAboutContent && notices.length > 1) {
      // One of the notices may be what the server refuses; if it refuses the recipient, halves fare no better.
      await store.splitMail(mail, now(), reason);
      log.warn({ id, reason, notices: notices.length }, 'mail refused, its notices go out in two');
    } else {
      await store.giveUpMail(mail, reason);
      hasDeadLetter = true;
      audit({ event: 'dead_letter', detail: `${id} ${reason}` });
      log.error({ id, reason }, 'mail given up');
    }
  }
}

/** Doubles with each attempt up to an hour; up to half is taken off at random, so that not all come back at once. */
function retryMillisecondsAfter(attempts: number): number {
  const milliseconds = Math.min(firstRetryMilliseconds * 2 ** (attempts - 1), longestRetryMilliseconds);
  return milliseconds * (1 - Math.random() / 2);
}
