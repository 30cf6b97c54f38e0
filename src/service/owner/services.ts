import { join } from 'node:path';
import { storedChargesOf } from '../../adapters/limits.ts';
import { hash, newSecret } from '../../adapters/node-crypto.ts';
import { photosOf } from '../../adapters/profile/photos.ts';
import type { LiveProfile } from '../../adapters/profile/profile-address.ts';
import { profileDocumentOf, unservedProfileOf } from '../../adapters/profile/profile-document.ts';
import { readProfileAt } from '../../adapters/profile/profile-file.ts';
import { ownPathOf } from '../../adapters/profile/profile-source.ts';
import { ScrubFault } from '../../adapters/store/database.ts';
import { newLinkId, toLinkCode } from '../../adapters/tokens/signatures.ts';
import type { OwnerServices } from '../../operations/owner/services.ts';
import { type Setup, type SignIn, signInOf } from '../../operations/sign-in.ts';
import { type Config, samplePath } from '../config/config.ts';
import { ownerFaultOf } from '../config/config-warnings.ts';
import { untilAllRefreshed } from '../refreshing.ts';
import type { State } from '../state.ts';

interface OwnerServiceOptions extends Pick<OwnerServices, 'baseUrl' | 'audit'> {
  readonly profile?: LiveProfile;
  /** Absent if this process does not accept the setup code. */
  readonly setup?: Setup;
  readonly log: { error(fields: object, message: string): void };
  readonly wakeOutbox?: () => void;
  /** Runs the scrubbing of the database, which may take long. */
  readonly whileScrubbing?: (scrub: () => Promise<void>) => Promise<void>;
}

const noSetup: Setup = { isOpen: async () => false, isCode: () => false };

/** Returns the dependencies of the owner's operations, in the terminal and in a running service, and the sign-in. */
export function ownerServicesOf(
  config: Config,
  { store, keys, now, tokens, hashVisitor }: State,
  { wakeOutbox = () => {}, whileScrubbing = (scrub) => scrub(), ...options }: OwnerServiceOptions,
) {
  const { baseUrl, audit, profile, setup = noSetup, log } = options;
  const limits = { toStored: storedChargesOf(config.limits, hashVisitor) };
  const secrets = { newSecret, hash, baseUrl, now };
  return {
    ...secrets,
    ...{ store, tokens, hashVisitor, audit, limits, untilAllRefreshed, wakeOutbox },
    linkCodes: {
      async newId() {
        const isFirst = keys.linkSecret === null;
        await keys.makeLinkSecret();
        // A service that runs beside a command refuses codes made with a key that it has not read yet.
        if (isFirst && profile === undefined) await untilAllRefreshed();
        return newLinkId();
      },
      codeOf: (id) => keys.linkSecret && toLinkCode(id, keys.linkSecret),
    },
    views: async () => (profile?.views() ?? (await readProfileAt(config.profile)).views).names,
    profileDocument: profileDocumentOf({
      profile: profile ?? unservedProfileOf(config.profile),
      source: config.profile,
      samplePath,
      ownerFaultOf: (written) => ownerFaultOf(config, written),
      replicas: store.replicas,
      versions: {
        async add(version) {
          await store.desk.recordFirstProfile(version.at);
          await store.profileVersions.add(version, config.keep.historyVersions);
        },
      },
      now,
      log,
    }),
    photos: photosOf({ path: ownPathOf(config.profile), now }),
    hasMailServer: config.smtpUrl !== undefined,
    signIn: signInOf({ ...secrets, store, limits, audit, setup }),
    removeMailFiles: async (ids) =>
      (await import('../../adapters/mail/mailer.ts')).removeMailFiles(join(config.dataDir, 'mail'), { ids }),
    async scrub() {
      try {
        await whileScrubbing(store.scrub);
        return null;
      } catch (error) {
        if (error instanceof ScrubFault) return error.message;
        throw error;
      }
    },
  } satisfies OwnerServices & { readonly signIn: SignIn };
}
