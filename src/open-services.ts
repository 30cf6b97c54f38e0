import { join } from 'node:path';
import { pino } from 'pino';
import { openLatestPdf } from './adapters/latest-pdf.ts';
import { openMailer } from './adapters/mail.ts';
import { startOutbox } from './adapters/outbox.ts';
import { openProfile } from './adapters/profile-file.ts';
import { openResumePdf } from './adapters/resume-pdf.ts';
import { type Config, StartFault } from './config.ts';
import { openOwnersStore } from './open-store.ts';
import type { CallRecord, Edition, Services } from './operations/services.ts';
import { resumeLinksOf } from './surfaces/files.ts';

export type Log = pino.Logger;

/** JSON lines on stderr. */
export const openLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );

export type OpenServices = Awaited<ReturnType<typeof openServices>>;

/**
 * Everything behind the surfaces, opened from the configuration; notices are sent from here, or only queued for the
 * process that serves. Throws `StartFault` where the owner must mend something.
 */
export async function openServices(config: Config, baseUrl: string, log: Log, notices: 'send' | 'queue') {
  for (const name of config.withoutEffect) log.warn({ setting: name }, 'this setting has no effect in this version');
  const now = () => new Date();
  const profile = openProfile({ path: config.profilePath, log });
  const ownerEmail = () => config.ownerEmail ?? profile.current().owner_email;
  if (ownerEmail() === undefined)
    throw new StartFault('OWNER_EMAIL: set it, or owner_email in the profile, so that notices can reach you');

  const { keys, store, tokens } = await openOwnersStore(config, baseUrl, () => outbox?.wake());
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    baseUrl,
    directory: join(config.dataDir, 'mail'),
    log,
  });
  const outbox = notices === 'send' ? startOutbox({ store, mailer, to: ownerEmail, now, log }) : null;
  const links = resumeLinksOf(baseUrl, () => keys.secretsFor('resume link'), config.pdfLinkTtlSeconds);
  const edition = editionsOf(() => {
    const current = profile.current();
    return { profile: current, resumeUrl: current.resume.pdf_url ?? links.at(now()) };
  });

  const services: Services = { edition, now, store, tokens, record: (call) => record(log, call) };
  const refreshing = setInterval(() => {
    keys.refresh().catch((error: unknown) => log.error({ err: error }, 'the signing keys stay as they are'));
    tokens
      .refresh()
      .then(store.heal)
      .catch((error: unknown) => log.error({ err: error }, 'the store does not answer'));
  }, 1_000);
  return {
    services,
    profile,
    store,
    keys,
    links,
    outbox,
    pdf: openLatestPdf(openResumePdf(config.pdf), log),
    /** Calls back after each reload of the profile, with what was published before and what is now. */
    onReload(listener: (before: Edition, after: Edition) => Promise<void>): void {
      let before = edition();
      profile.onReload(() => {
        const after = edition();
        listener(before, after).catch((error: unknown) => log.error({ err: error }, 'reload not announced'));
        before = after;
      });
    },
    async close() {
      clearInterval(refreshing);
      profile.close();
      await outbox?.stop();
      await store.close();
    },
  };
}

/** The same edition as long as nothing in it has changed, so that answers made for it can be kept. */
function editionsOf(latest: () => Edition): () => Edition {
  let edition = latest();
  return () => {
    const { profile, resumeUrl } = latest();
    if (edition.profile !== profile || edition.resumeUrl !== resumeUrl) edition = { profile, resumeUrl };
    return edition;
  };
}

function record(log: Log, { cause, ...call }: CallRecord): void {
  if (call.code === 'INTERNAL_ERROR') log.error({ ...call, err: cause }, 'call failed');
  else if (cause !== undefined) log.warn({ ...call, err: cause }, 'call failed');
  else log.info(call, 'call');
}
