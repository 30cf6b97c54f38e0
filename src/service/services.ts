import { openResumeReader, type ResumeReader } from '../adapters/document/document-reader.ts';
import { openLocalLimits, storedChargesOf } from '../adapters/limits.ts';
import { areEqual, hash, newId } from '../adapters/node-crypto.ts';
import type { openPrinter } from '../adapters/pdf/printer.ts';
import { openReaderRecord } from '../adapters/reader-record.ts';
import { removeUploads } from '../adapters/upload-file.ts';
import { mailsPerHourOf } from '../model/notice.ts';
import { operations } from '../operations/index.ts';
import { endPastLinks } from '../operations/owner/links.ts';
import { type ChangesByView, changesBetween } from '../surfaces/mcp/catalogue.ts';
import { openAccess } from './access.ts';
import type { Config } from './config/config.ts';
import { openEditions } from './editions.ts';
import { type Log, openTelemetry } from './log.ts';
import { openMail } from './mail.ts';
import { ownerServicesOf } from './owner/services.ts';
import { openPrinting } from './printing.ts';
import { type Core, openServedProfile, type ProcessKind, startDocument } from './profile.ts';
import { openSharedChanges, startRefreshing } from './refreshing.ts';
import { startRetention } from './retention.ts';
import { openState } from './state.ts';

export type OpenServices = Awaited<ReturnType<typeof openServices>>;

interface ServiceOptions {
  /** How long a request waits for its print or reading before the client is told to ask again. */
  readonly waitMilliseconds?: number;
  /** How long a call waits for the store; by default 1 s, for a command 10 s. */
  readonly lockWaitMilliseconds?: number;
  /** Opens the printer; by default, each print has its own process. */
  readonly openPrinter?: typeof openPrinter;
  /** Opens the reader of resumes; by default, each reading has its own process. */
  readonly openReader?: () => ResumeReader;
}

const visitorLockWaitMilliseconds = 1_000;
/** How long a server waits for its database: Compose, or a booting machine, starts both at the same time. */
const databaseStartMilliseconds = 30_000;

/** Opens the dependencies of the surfaces. Throws `StartFault` if the owner must correct something first. */
export async function openServices(
  config: Config,
  baseUrl: string,
  log: Log,
  kind: ProcessKind,
  { waitMilliseconds = 10_000, openPrinter, openReader = openResumeReader, ...options }: ServiceOptions = {},
) {
  const isServer = kind === 'server';
  await using opening = new AsyncDisposableStack();
  const profile = opening.adopt(await openServedProfile(config, log, kind), ({ close }) => close());
  const state = opening.use(
    await openState(config, {
      baseUrl,
      log,
      onTokenRefused: (reason) => log.info({ reason }, 'token refused'),
      mailsPerHour: mailsPerHourOf(config.limits),
      ...(kind === 'command' ? {} : { lockWaitMilliseconds: visitorLockWaitMilliseconds }),
      ...options,
      ...(isServer ? { startWaitMilliseconds: databaseStartMilliseconds } : {}),
    }),
  );
  const { keys, store, now, tokens, hashVisitor, auditLog } = state;
  if (kind !== 'command') profile.warn(tokens, true);
  const telemetry = opening.use(await openTelemetry(state, isServer ? config.metricsPort : undefined, log));
  const { record, audit } = telemetry;
  const core: Core = { ...state, config, baseUrl, log, profile, audit };
  const outbox = kind === 'command' ? null : openMail(core);
  if (outbox !== null) opening.defer(outbox.stop);
  const printing = opening.adopt(
    openPrinting(config, {
      ...{ log, waitMilliseconds, ...(openPrinter && { openPrinter }) },
      served: () => (profile.isPresent() ? editions.served() : []),
    }),
    ({ close }) => close(),
  );
  if (isServer) await removeUploads(config.dataDir);
  const resumeReader = opening.adopt(openReader(), ({ close }) => close());
  const editions = openEditions({
    profile,
    viewOf: tokens.viewOf,
    linkTo: (view) =>
      kind === 'stdio'
        ? { url: printing.resumeFile.urlOf(profile.current()), until: 0 }
        : { url: access.links.resume.at(now(), view), until: access.links.resume.until(now()) },
    now,
  });
  const limits = {
    take: openLocalLimits({ multiplier: config.limits, now }),
    toStored: storedChargesOf(config.limits, hashVisitor),
  };
  const reads = opening.adopt(
    openReaderRecord({ isOn: config.recordsReads, keepSeconds: config.keep.readsSeconds, store, tokens, now, log }),
    ({ stop }) => stop(),
  );
  const { edition, viewOf } = editions;
  const services = { edition, viewOf, now, store, tokens, reads, limits, record, audit, hash, newId };
  const access = openAccess(core, services);

  const sharedChanges = isServer ? await openSharedChanges(store) : null;
  const { onTokensRefreshed, onSharedChanges, refreshNext } = opening.adopt(
    startRefreshing({
      ...{ keys, tokens, store, sharedChanges, log },
      onKeysRefreshed: editions.renewLinks,
      onStoreChanged: () => outbox?.wake(),
    }),
    ({ stop }) => stop(),
  );
  let notify = (_changes: ChangesByView) => {};
  /** Announces the changes of a view. A view that nobody has read since the last reload has no subscriber. */
  function announce(view: string | null, before: Parameters<typeof changesBetween>[0]): void {
    try {
      const changes = new Map([[view, changesBetween(before, editions.ofView(view), operations, services)]]);
      sharedChanges?.add(changes);
      refreshNext();
      notify(changes);
    } catch (error) {
      // The new profile is served anyway.
      log.error({ err: error }, 'reload not announced');
    }
  }
  const owner = ownerServicesOf(config, state, {
    ...{ baseUrl, audit, profile, log, wakeOutbox: () => outbox?.wake() },
    setup: {
      // Closed after the first profile, here or in another process, because the code would then show its visitors.
      isOpen: async () => !profile.isPresent() && (await store.desk.isNew()),
      isCode: (text) => config.setupCode !== undefined && areEqual(text, config.setupCode),
    },
  });
  if (isServer)
    opening.adopt(
      startRetention({
        ...{ store, auditLog, mailDirectory: config.mailDirectory, keep: config.keep, now, log },
        endPastLinks: () => endPastLinks.handle({}, owner),
      }),
      ({ stop }) => stop(),
    );
  opening.defer(owner.profileDocument.close);
  await startDocument(owner, log, kind);
  const opened = opening.move();
  return {
    ...core,
    ...access,
    ...printing,
    ...{ services, editions, owner, outbox, telemetry, resumeReader, waitMilliseconds, onTokensRefreshed },
    /** Sets the listener of changes for MCP clients, by the view that they read, that this or another replica has loaded. */
    onChanges(listener: (changes: ChangesByView) => void): void {
      notify = listener;
      onSharedChanges(listener);
    },
    onReload(listener: () => void): void {
      if (profile.isPresent()) edition(null);
      profile.onReload(() => {
        audit({ event: 'profile_reloaded' });
        profile.warn(tokens, false);
        if (isServer) void owner.profileDocument.keepCurrent();
        for (const fault of profile.startFaults()) log.warn(`the next start will be refused: ${fault}`);
        void editions.compare(announce);
        listener();
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
