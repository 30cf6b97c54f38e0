import type { Logger } from 'pino';
import type { AuditLog } from '../adapters/audit-log.ts';
import { removeMailFiles } from '../adapters/mail/mailer.ts';
import type { DurableStore } from '../adapters/store/store.ts';
import type { Config } from './config/config.ts';
import type { Core } from './profile.ts';

interface RetentionOptions extends Pick<Core, 'now'> {
  readonly store: Pick<DurableStore, 'expiry' | 'scrub'>;
  readonly auditLog: Pick<AuditLog, 'removeBefore'>;
  readonly mailDirectory: string;
  readonly keep: Omit<Config['keep'], 'historyVersions'>;
  readonly endPastLinks: () => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const minuteMilliseconds = 60 * 1_000;
const hourMilliseconds = 60 * minuteMilliseconds;

/** Deletes expired data now and each hour; each minute, records of the authorization server, and ends links. */
export function startRetention({ store, auditLog, mailDirectory, keep, endPastLinks, now, log }: RetentionOptions) {
  // False after a deletion until the database is scrubbed; if it is busy, scrubbing is retried an hour later.
  let isScrubbed = true;
  // Mail of the last hour counts against the mails per hour.
  const mailSeconds = Math.max(keep.mailSeconds, 3_600);
  const before = (seconds: number) => new Date(now().getTime() - seconds * 1_000);

  async function run(): Promise<void> {
    const contacts = Number.isFinite(keep.contactsSeconds) ? before(keep.contactsSeconds) : null;
    const bounds = { contacts, mail: before(mailSeconds), reads: before(keep.readsSeconds) };
    await endPastLinks();
    const wasScrubbed = isScrubbed;
    isScrubbed = false; // a deletion that fails may have erased some
    const ids = new Set<string>();
    const removeFiles = () => removeMailFiles(mailDirectory, { ids: [...ids], before: before(mailSeconds) });
    const { mails, ...erased } = await store.expiry.erase(now(), bounds, ids).finally(removeFiles);
    isScrubbed = wasScrubbed && erased.contacts === 0;
    auditLog.removeBefore(before(keep.auditSeconds));
    if (!isScrubbed) await store.scrub();
    isScrubbed = true;
    if (mails.length > 0 || Object.values(erased).some((count) => count > 0))
      log.info({ ...erased, mails: mails.length }, 'expired data erased');
  }

  const logged = (erasing: Promise<void>) =>
    erasing.catch((error: unknown) => log.error({ err: error }, 'expired data could not be erased completely'));
  let running = logged(run());
  const then = (erase: () => Promise<void>) => () => {
    running = running.then(() => logged(erase()));
  };
  const timers = [
    setInterval(then(run), hourMilliseconds),
    setInterval(
      then(async () => {
        await endPastLinks();
        await store.expiry.eraseRecords(now());
      }),
      minuteMilliseconds,
    ),
  ];
  return {
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await running;
    },
  };
}
