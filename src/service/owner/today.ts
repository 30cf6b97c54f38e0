import { X509Certificate } from 'node:crypto';
import type { DeskPorts } from '../../surfaces/web/desk/desk.ts';
import type { Config } from '../config/config.ts';
import { ownerWarningOf } from '../config/config-warnings.ts';
import { toCommandLine } from '../program-name.ts';
import type { OpenServices } from '../services.ts';

/** Returns what the section Today tells of. */
export function todayOf(
  { tls, database }: Config,
  { store, profile, outbox, ownerEmail }: OpenServices,
): DeskPorts['today'] {
  // As it was read at the start, because that one is served until the next.
  const certificateExpiresAt = tls === undefined ? null : new X509Certificate(tls.cert).validToDate;
  return {
    visitDesk: store.desk.visit,
    messagesSince: store.contacts.listSince,
    activitySince: store.readers.activitySince,
    upkeep: async () => ({
      deadLetters: (await store.outbox.state()).dead,
      isMailDegraded: outbox?.isHealthy() === false,
      isProfileStale: profile.isStale(),
      certificateExpiresAt,
      backedUpAt: 'file' in database ? await store.desk.backedUpAt() : undefined,
      ownerWarning: ownerWarningOf(ownerEmail() ?? ''),
    }),
    commands: {
      backUp: (now) => toCommandLine('backup', `backup-${now.toISOString().slice(0, 10)}.db`),
      doctor: toCommandLine('doctor'),
    },
  };
}
