import { join } from 'node:path';
import { goneViews } from 'resume-profile/view-fields';
import { openResumeReader, type ResumeReader } from '../adapters/document/document-reader.ts';
import { openLocalLimits, storedChargesOf } from '../adapters/limits.ts';
import { openMailer } from '../adapters/mail/mailer.ts';
import { startSender } from '../adapters/mail/sender.ts';
import { areEqual, hash, hmac, newId, newSecret } from '../adapters/node-crypto.ts';
import type { openPrinter } from '../adapters/pdf/printer.ts';
import { openProfileAt } from '../adapters/profile/open-profile.ts';
import { UnavailableProfile } from '../adapters/profile/profile-address.ts';
import { isAddress, type LiveProfile } from '../adapters/profile/profile-source.ts';
import { openReaderRecord } from '../adapters/reader-record.ts';
import { formTokensOf, signedLinksOf } from '../adapters/tokens/expiring-signatures.ts';
import { readLinkCode } from '../adapters/tokens/link-codes.ts';
import { removeUploads } from '../adapters/upload-file.ts';
import { mailsPerHourOf } from '../model/notice.ts';
import type { DocumentState } from '../model/profile/document-state.ts';
import { toBriefEmail, toEmail } from '../operations/digest.ts';
import { operations } from '../operations/index.ts';
import { linkOpeningsOf } from '../operations/link-openings.ts';
import { endPastLinks } from '../operations/owner/links.ts';
import { readerIdOf } from '../operations/owner/readers.ts';
import type { OwnerServices } from '../operations/owner/services.ts';
import { sessionsOf } from '../operations/page-sessions.ts';
import type { Services } from '../operations/ports.ts';
import { type ChangesByView, changesBetween } from '../surfaces/mcp/catalogue.ts';
import { contactPath, docxPath, photoPath, resumePath } from '../surfaces/rest/files.ts';
import { type Config, StartFault } from './config/config.ts';
import {
  lostProfileWarning,
  nameWarningOf,
  otherTextWarningOf,
  ownerWarningOf,
  setupCodeWarningOf,
  startFaultsOf,
  toSentence,
} from './config/config-warnings.ts';
import { comparisonOf, openEditions } from './editions.ts';
import { type Log, openTelemetry } from './log.ts';
import { ownerServicesOf } from './owner/services.ts';
import { openPrinting } from './printing.ts';
import { openSharedChanges, startRefreshing } from './refreshing.ts';
import { startRetention } from './retention.ts';
import { openDirectory, openState } from './state.ts';

export type OpenServices = Awaited<ReturnType<typeof openServices>>;

/** The server; an MCP server on stdio, which sends mail as well; or a command, which only queues mail. */
type ProcessKind = 'server' | 'stdio' | 'command';

interface ServiceOptions {
  /** How long a request waits for the print or the reading that it asks for, before it is told to look again. */
  readonly waitMilliseconds?: number;
  /** How long a call waits for the store; 1 s if not given, for a command 10 s. */
  readonly lockWaitMilliseconds?: number;
  /** Opens what prints, in place of a process for each print. */
  readonly openPrinter?: typeof openPrinter;
  /** Opens what reads resumes, in place of a process for each. */
  readonly openReader?: () => ResumeReader;
}

const visitorLockWaitMilliseconds = 1_000;
/** How long a server waits for its database: Compose, or a machine that boots, starts both at the same time. */
const databaseStartMilliseconds = 30_000;

/** Opens what the surfaces need. Throws `StartFault` if the owner must correct something first. */
export async function openServices(
  config: Config,
  baseUrl: string,
  log: Log,
  kind: ProcessKind,
  { waitMilliseconds = 10_000, openPrinter, openReader = openResumeReader, ...options }: ServiceOptions = {},
) {
  await using opening = new AsyncDisposableStack();
  const profile = opening.adopt(await openProfile(config, log), ({ close }) => close());
  const ownerEmail = () => config.ownerEmail ?? profile.current().owner_email;
  if (kind !== 'server' && !profile.isPresent()) throw new StartFault(`PROFILE: ${profile.name()} does not exist`);
  const profileFile = () => ({ path: profile.path(), profile: profile.isPresent() ? profile.current() : null });
  const startFaults = () => startFaultsOf(kind === 'server' ? config : { ...config, isPublic: false }, profileFile());
  if (startFaults().length > 0) throw new StartFault(startFaults().join('\n'));

  const state = opening.use(
    await openState(config, {
      baseUrl,
      log,
      onTokenRefused: (reason) => log.info({ reason }, 'token refused'),
      mailsPerHour: mailsPerHourOf(config.limits),
      ...(kind === 'command' ? {} : { lockWaitMilliseconds: visitorLockWaitMilliseconds }),
      ...options,
      ...(kind === 'server' ? { startWaitMilliseconds: databaseStartMilliseconds } : {}),
    }),
  );
  const { keys, store, now, tokens, hashVisitor, auditLog } = state;
  const ofProfile = profile.isPresent() ? [nameWarningOf(profile.current()), setupCodeWarningOf(config)] : [];
  const warnings = [ownerWarningOf(ownerEmail()!), ...ofProfile];
  for (const warning of kind === 'command' ? [] : warnings) if (warning !== null) log.warn(toSentence(warning));
  const mailDirectory = join(config.dataDir, 'mail');
  const mailer = openMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    baseUrl,
    directory: mailDirectory,
    log,
  });
  const metricsPort = kind === 'server' ? config.metricsPort : undefined;
  const telemetry = opening.adopt(await openTelemetry({ auditLog, metricsPort, log, store, now }), ({ close }) =>
    close(),
  );
  const { record, audit } = telemetry;
  const outbox =
    kind === 'command'
      ? null
      : startSender({
          store,
          mailer,
          toEmail: (notices, hasTexts) =>
            (hasTexts ? toEmail : toBriefEmail)(notices, {
              baseUrl,
              candidateName: profile.isPresent() ? profile.current().candidate.name : '',
              readerIdOf: (address) => readerIdOf(address, { hashVisitor }),
            }),
          to: ownerEmail,
          audit,
          now,
          log,
        });
  if (outbox !== null) {
    opening.defer(outbox.stop);
    store.outbox.onQueued(outbox.wake);
  }
  const secrets = () => keys.secretsFor('resume link');
  const linksTo = (path: string) => signedLinksOf({ baseUrl, path, secrets, ttlSeconds: config.pdfLinkTtlSeconds });
  const links = {
    resume: linksTo(resumePath),
    docx: linksTo(docxPath),
    contact: linksTo(contactPath),
    photo: linksTo(photoPath),
  };
  const printing = opening.adopt(
    openPrinting(config, {
      ...{ log, waitMilliseconds, ...(openPrinter && { openPrinter }) },
      served: () => (profile.isPresent() ? editions.served() : []),
    }),
    ({ close }) => close(),
  );
  if (kind === 'server') await removeUploads(config.dataDir);
  const resumeReader = opening.adopt(openReader(), ({ close }) => close());
  const editions = openEditions({
    profile,
    viewOf: tokens.viewOf,
    linkTo: (view) =>
      kind === 'stdio'
        ? { url: printing.resumeFile.urlOf(profile.current()), until: 0 }
        : { url: links.resume.at(now(), view), until: links.resume.until(now()) },
    now,
  });
  const { edition, viewOf } = editions;

  const limits = {
    take: openLocalLimits({ multiplier: config.limits, now }),
    toStored: storedChargesOf(config.limits, hashVisitor),
  };
  function warnOfGoneViews(): void {
    const views = goneViews(tokens.viewsInUse(), profile.views().names);
    if (views.length > 0)
      log.warn({ views }, 'tokens have views that the profile does not have: they read the public part');
  }
  if (kind !== 'command') warnOfGoneViews();

  const reads = opening.adopt(
    openReaderRecord({ isOn: config.recordsReads, keepSeconds: config.keep.readsSeconds, store, tokens, now, log }),
    ({ stop }) => stop(),
  );
  const services: Services = { edition, viewOf, now, store, tokens, reads, limits, record, audit, hash, newId };
  const sharedChanges = kind === 'server' ? await openSharedChanges(store) : null;
  const { onTokensRefreshed, onSharedChanges, refreshNext } = opening.adopt(
    startRefreshing({
      ...{ ...state, sharedChanges, log },
      onKeysRefreshed: editions.renewLinks,
      onStoreChanged: () => outbox?.wake(),
    }),
    ({ stop }) => stop(),
  );
  let notify = (_changes: ChangesByView) => {};
  // Views that nobody has read since the last reload have no subscriber.
  const compareEditions = comparisonOf(editions, (view, before) => {
    try {
      const changes = new Map([[view, changesBetween(before, editions.ofView(view), operations, services)]]);
      sharedChanges?.add(changes);
      refreshNext();
      notify(changes);
    } catch (error) {
      // The new profile is served all the same.
      log.error({ err: error }, 'reload not announced');
    }
  });
  if (!profile.isPresent() && !(await store.desk.isNew())) log.warn(toSentence(lostProfileWarning));
  const owner = ownerServicesOf(config, state, {
    ...{ baseUrl, audit, profile, log, wakeOutbox: () => outbox?.wake() },
    setup: {
      // Closed after the first profile, here or in another process: the code would show its visitors.
      isOpen: async () => !profile.isPresent() && (await store.desk.isNew()),
      isCode: (text) => config.setupCode !== undefined && areEqual(text, config.setupCode),
    },
  });
  if (kind === 'server')
    opening.adopt(
      startRetention({
        ...{ store, auditLog, mailDirectory, keep: config.keep, now, log },
        endPastLinks: () => endPastLinks.handle({}, owner),
      }),
      ({ stop }) => stop(),
    );
  opening.defer(owner.profileDocument.close);
  refuseUnwritable(owner.profileDocument.look());
  if (kind === 'server') {
    await store.replicas.join(() => warnOfOtherText(owner, log));
    await owner.profileDocument.keepCurrent();
  }
  const opened = opening.move();
  return {
    services,
    profile,
    ownerEmail,
    store,
    keys,
    tokens,
    hashVisitor,
    mailDirectory,
    links,
    pageSessions: sessionsOf({
      ...{ store, reads, tokens, now, newSecret },
      // Keyed, so that dropping a key ends the sessions of its tokens, too.
      idsOf: (secret) => keys.secretsFor('page session').map((key) => hmac(key, secret)),
      audit,
    }),
    openings: linkOpeningsOf({ services, hashVisitor, idOf: (code) => readLinkCode(code, keys.linkSecret) }),
    formTokens: formTokensOf({ secrets: () => keys.secretsFor('form'), now }),
    owner,
    outbox,
    telemetry,
    editions,
    viewsInUse: tokens.viewsInUse,
    ...printing,
    waitMilliseconds,
    resumeReader,
    onTokensRefreshed,
    /**
     * Sets the listener that is called with the changes for clients of MCP, by the view that they read: those of a reload,
     * and those that other replicas have loaded.
     */
    onChanges(listener: (changes: ChangesByView) => void): void {
      notify = listener;
      onSharedChanges(listener);
    },
    /** Sets the listener that is called after each reload of the profile. */
    onReload(listener: () => void): void {
      if (profile.isPresent()) edition(null);
      profile.onReload(() => {
        audit({ event: 'profile_reloaded' });
        warnOfGoneViews();
        if (kind === 'server') void owner.profileDocument.keepCurrent();
        for (const fault of startFaults()) log.warn(`the next start will be refused: ${fault}`);
        compareEditions();
        listener();
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Throws `StartFault` if the file does not exist and the desk could not create it. */
function refuseUnwritable({ place, name, obstacle }: DocumentState): void {
  if (place === 'none' && obstacle !== null)
    throw new StartFault(`PROFILE: ${name} does not exist, and the desk cannot make it, because ${obstacle}`);
}

/** Opens the profile. DATA_DIR comes first if a copy of the profile is kept there. */
async function openProfile({ profile, dataDir, database }: Config, log: Log): Promise<LiveProfile> {
  if (isAddress(profile)) openDirectory({ dataDir, database });
  try {
    return await openProfileAt(profile, { folder: dataDir, log });
  } catch (error) {
    throw error instanceof UnavailableProfile ? new StartFault(`PROFILE: ${error.message}`) : error;
  }
}

/** Warns if another replica has published a text that this one does not have. */
async function warnOfOtherText({ store, profileDocument }: OwnerServices, log: Log): Promise<void> {
  const [newest] = await store.profileVersions.list();
  const { name, revision } = await profileDocument.read();
  const warning = newest && otherTextWarningOf(newest, { name, revision });
  if (warning) log.warn(toSentence(warning));
}
