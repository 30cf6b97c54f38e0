import { readSync } from 'node:fs';
import { dirname } from 'node:path';
import { pdfWarningsOf } from 'resume-documents/pdf/pdf-warnings';
import type { ServedCertificate } from '../../adapters/http/certificate.ts';
import { openUploadFile } from '../../adapters/upload-file.ts';
import { rememberedSeconds } from '../../model/page-session.ts';
import type { DeskServices } from '../../operations/owner/services.ts';
import type { DeskOptions, DeskPorts } from '../../surfaces/web/desk/open-desk.ts';
import { type Config, isLoopback, isSetLocal, samplePath } from '../config/config.ts';
import { ownerWarningOf } from '../config/config-warnings.ts';
import { toCommandLine, toPathlessCommandLine } from '../program-name.ts';
import type { OpenServices } from '../services.ts';
import { profileWarnings } from './profile-warnings.ts';

/** The services, with the certificate that the HTTP server presents, if it presents one. */
export type RunningServices = OpenServices & { readonly certificate?: ServedCertificate | undefined };

/** Loads and opens the desk, with its editor, lazily: a start does not need them. */
export async function loadDesk(config: Config, opened: RunningServices, options: Omit<DeskOptions, keyof DeskPorts>) {
  const { openDesk } = await import('../../surfaces/web/desk/open-desk.ts');
  return openDesk({ ...options, ...deskPortsOf(config, opened) });
}

export const deskPortsOf = (config: Config, opened: RunningServices): DeskPorts => ({
  services: deskServicesOf(config, opened),
  hasProfile: opened.profile.isPresent,
  signIn: opened.owner.signIn,
  linkWays: linkWaysOf(config),
  commands: {
    init: toCommandLine('init'),
    doctor: toCommandLine('doctor'),
    backUp: (now) => toCommandLine('backup', `backup-${now.toISOString().slice(0, 10)}.db`),
  },
});

function deskServicesOf(
  { smtpUrl, database, ownerEmail, dataDir, mailDirectory, pdf: style, keep, tokenTtlSeconds }: Config,
  opened: RunningServices,
): DeskServices {
  const { services, owner, store, outbox, profile, prints } = opened;
  const { edition, reads } = services;
  return {
    ...owner,
    edition,
    editionOf: opened.editions.ofUnpublished,
    reads,
    keepContactsSeconds: keep.contactsSeconds,
    mail: {
      // Only the host: the URL has the password.
      destination:
        smtpUrl === undefined
          ? { kind: 'folder', name: mailDirectory }
          : { kind: 'smtp', name: new URL(smtpUrl).hostname },
      ownerAddress: opened.profile.ownerEmail,
    },
    profileState() {
      const reading = profile.read();
      const flaws = prints.publishedPdf()?.printed ?? null;
      return {
        faults: reading.faults,
        warnings: profileWarnings(reading, {
          ownerEmail,
          today: owner.now(),
          pdfWarningsOf: (written) => (flaws === null ? [] : pdfWarningsOf(written, flaws)),
          viewsInUse: opened.tokens.viewsInUse(),
        }),
        name: profile.name(),
        isAddress: profile.path() === null,
        isSample: profile.path() === samplePath,
        loadedAt: profile.loadedAt(),
        resumeUrl: profile.isPresent() ? edition(null).resumeUrl : null,
        failedPrints: prints.failed(),
        usualTheme: style.template === undefined ? style.theme : null,
      };
    },
    rememberSeconds: rememberedSeconds(tokenTtlSeconds),
    designPicture: opened.designPicture,
    async openUpload() {
      const upload = openUploadFile(dataDir);
      const directory = dirname((await owner.profileDocument.read()).name);
      return {
        ...upload,
        async readAll() {
          const file = await upload.written();
          const bytes = Buffer.alloc(file?.length ?? 0);
          if (file !== null) readSync(file.descriptor, bytes, 0, file.length, 0);
          return bytes;
        },
        async read(signal) {
          const file = await upload.written();
          if (file === null) throw new Error('is empty');
          return opened.resumeReader.read(file, directory, signal);
        },
      };
    },
    previews: opened.previews,
    photoOf: opened.photoOf,
    waitMilliseconds: opened.waitMilliseconds,
    prints: { retry: prints.retry, pdfState: opened.pdfState },
    upkeep: async () => ({
      isMailDegraded: outbox?.isHealthy() === false,
      isProfileStale: profile.isStale(),
      failedPrints: prints.failed(),
      certificateExpiresAt: opened.certificate?.expiresAt() ?? null,
      backedUpAt: 'file' in database ? await store.desk.backedUpAt() : undefined,
      ownerWarning: ownerWarningOf(opened.profile.ownerEmail() ?? ''),
    }),
  };
}

/** Returns how to get a link to sign in, without paths if others can connect, also by a tunnel, known by its headers. */
function linkWaysOf(config: Config): DeskPorts['linkWays'] {
  const { smtpUrl, mailDirectory } = config;
  return ({ url, headers }) => {
    const isForwarded = [...headers.keys()].some((name) => /^(x-forwarded-|forwarded$|cf-)/.test(name));
    const isLocal = isSetLocal(config) && !isForwarded && isLoopback(new URL(url).hostname);
    return {
      isMailed: smtpUrl !== undefined,
      folder: isLocal ? mailDirectory : null,
      command: isLocal ? toCommandLine('desk') : toPathlessCommandLine('desk'),
      isLocal,
    };
  };
}
