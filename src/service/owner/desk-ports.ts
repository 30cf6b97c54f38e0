import { join } from 'node:path';
import { statusFileOf } from '../../adapters/profile/status-file.ts';
import { ScrubFault } from '../../adapters/store/database.ts';
import { pdfWarningsOf } from '../../formats/profile/pdf-warnings.ts';
import type { DeskPorts } from '../../surfaces/web/desk/desk.ts';
import { type Config, isLoopback, samplePath } from '../config/config.ts';
import { toCommandLine, toPathlessCommandLine } from '../program-name.ts';
import type { OpenServices } from '../services.ts';
import { mailOf } from './mail.ts';
import { profileWarnings } from './profile-warnings.ts';
import { readersOf } from './readers.ts';
import { todayOf } from './today.ts';

/** Returns what the sections of the desk use. */
export function deskPortsOf(config: Config, opened: OpenServices): DeskPorts {
  const { services, signIn, store, eraser, profile, pdf } = opened;
  const { now, edition, audit } = services;
  const initCommand = toCommandLine('init');
  const erasing = {
    eraseVisitor: (email: string) => bytesLeftBy(() => eraser.eraseVisitor(email)),
    scrub: () => bytesLeftBy(eraser.scrub),
  };
  return {
    now,
    signIn,
    linkWays: linkWaysOf(config),
    today: todayOf(config, opened),
    readers: { ...readersOf(opened), ...erasing },
    mail: mailOf(config, opened),
    inbox: {
      contactsIn: store.contacts.listIn,
      findContact: store.contacts.find,
      countUnread: store.contacts.countUnread,
      setContactState: store.contacts.setState,
      countOfVisitor: store.visitors.count,
      ...erasing,
      eraseContact: (contact) => bytesLeftBy(() => eraser.eraseContact(contact)),
      recordExport: (count) => audit({ event: 'contacts_exported', detail: String(count) }),
    },
    statusFile: {
      ...statusFileOf(profile, samplePath),
      served: () => edition().profile.availability.status,
      initCommand,
    },
    profile: {
      check() {
        const reading = profile.read();
        const warnings = profileWarnings(reading, {
          ownerEmail: config.ownerEmail,
          today: now(),
          pdfWarningsOf: (written) => pdfWarningsOf(written, pdf.flaws()),
        });
        return { faults: reading.faults, warnings };
      },
      name: profile.name,
      isAddress: () => profile.path() === null,
      isSample: () => profile.path() === samplePath,
      loadedAt: profile.loadedAt,
      resumeUrl: () => edition().resumeUrl,
      pdfFault: pdf.fault,
      theme: config.pdf.template === undefined ? config.pdf.theme : null,
      initCommand,
    },
  };
}

/**
 * Returns how the pages to sign in say that a link is got. Strangers read them: they tell no path unless this machine alone can ask,
 * which a tunnel that the settings do not name, such as ngrok, shows by the headers of a request.
 */
function linkWaysOf({ smtpUrl, dataDir, isPublic, trustProxy, allowedHosts }: Config): DeskPorts['linkWays'] {
  const isSetLocal = !isPublic && trustProxy.rules.length === 0 && allowedHosts.length === 0;
  return ({ url, headers }) => {
    const isForwarded = [...headers.keys()].some((name) => /^(x-forwarded-|forwarded$|cf-)/.test(name));
    const isLocal = isSetLocal && !isForwarded && isLoopback(new URL(url).hostname);
    const folder = isLocal ? join(dataDir, 'mail') : 'DATA_DIR/mail';
    return {
      folder: smtpUrl === undefined ? folder : null,
      command: isLocal ? toCommandLine('desk') : toPathlessCommandLine('desk'),
    };
  };
}

/** Erases; returns why bytes are left in the files of the database, null if none are. */
async function bytesLeftBy(erase: () => Promise<unknown>): Promise<string | null> {
  try {
    await erase();
    return null;
  } catch (error) {
    if (error instanceof ScrubFault) return error.message;
    throw error;
  }
}
