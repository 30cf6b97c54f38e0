import { goneViews } from 'resume-profile/view-fields';
import { UnavailableProfile } from '../adapters/profile/profile-address.ts';
import { openProfileAt } from '../adapters/profile/profile-file.ts';
import { isAddress } from '../adapters/profile/profile-source.ts';
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
import type { Log, Telemetry } from './log.ts';
import type { ownerServicesOf } from './owner/services.ts';
import { openDirectory, type State } from './state.ts';

/** The server; an MCP server on stdio, which sends mail as well; or a command, which only queues mail. */
export type ProcessKind = 'server' | 'stdio' | 'command';

export interface Core extends State, Pick<Telemetry, 'audit'> {
  readonly config: Config;
  readonly baseUrl: string;
  readonly log: Log;
  readonly profile: Awaited<ReturnType<typeof openServedProfile>>;
}

/** Opens the profile. Throws `StartFault` if a process of this kind does not start with it. */
export async function openServedProfile(config: Config, log: Log, kind: ProcessKind) {
  // DATA_DIR comes first if it has the copy of the profile.
  if (isAddress(config.profile)) openDirectory(config);
  const profile = await openProfileAt(config.profile, { folder: config.dataDir, log }).catch((error: unknown) => {
    throw error instanceof UnavailableProfile ? new StartFault(`PROFILE: ${error.message}`) : error;
  });
  const published = () => (profile.isPresent() ? profile.current() : null);
  const ownerEmail = () => config.ownerEmail ?? profile.current().owner_email;
  const startFaults = () =>
    startFaultsOf(kind === 'server' ? config : { ...config, isPublic: false }, {
      path: profile.path(),
      profile: published(),
    });
  const isMissing = kind !== 'server' && !profile.isPresent();
  const faults = isMissing ? [`PROFILE: ${profile.name()} does not exist`] : startFaults();
  if (faults.length > 0) {
    profile.close();
    throw new StartFault(faults.join('\n'));
  }
  return {
    ...profile,
    ownerEmail,
    /** Returns why the next start will be refused, one reason per line. */
    startFaults,
    /** Logs probable mistakes: views of tokens that the profile lacks and, at a start, settings. */
    warn({ viewsInUse }: State['tokens'], isStart: boolean): void {
      const ofProfile = profile.isPresent() ? [nameWarningOf(profile.current()), setupCodeWarningOf(config)] : [];
      for (const warning of isStart ? [ownerWarningOf(ownerEmail()!), ...ofProfile] : [])
        if (warning !== null) log.warn(toSentence(warning));
      const views = goneViews(viewsInUse(), profile.views().names);
      if (views.length > 0)
        log.warn({ views }, 'tokens have views that the profile does not have: they read the public part');
    },
  };
}

/** Prepares the profile document for the desk. Throws `StartFault` if it is missing and the desk could not create it. */
export async function startDocument(
  { store, profileDocument }: ReturnType<typeof ownerServicesOf>,
  log: Log,
  kind: ProcessKind,
): Promise<void> {
  const { place, name, obstacle } = profileDocument.look();
  if (place === 'none' && obstacle !== null)
    throw new StartFault(`PROFILE: ${name} does not exist, and the desk cannot make it, because ${obstacle}`);
  if (place === 'none' && !(await store.desk.isNew())) log.warn(toSentence(lostProfileWarning));
  if (kind !== 'server') return;
  await store.replicas.join(async () => {
    const [newest] = await store.profileVersions.list();
    const warning = newest && otherTextWarningOf(newest, await profileDocument.read());
    if (warning) log.warn(toSentence(warning));
  });
  await profileDocument.keepCurrent();
}
