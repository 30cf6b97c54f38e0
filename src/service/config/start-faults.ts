import type { Profile } from '../../model/profile/profile-document.ts';
import { toCommandLine } from '../program-name.ts';
import { type Config, samplePath } from './config.ts';
import { type ConfigWarning, nameWarningOf, ownerWarningOf, toSentence } from './config-warnings.ts';

/** A profile and the path of its file, null if it is at an address. */
interface ProfileFile {
  readonly path: string | null;
  readonly profile: Profile;
}

/** A sign that a profile is not the owner's own yet, with the setting that chooses it. */
interface SampleSign extends ConfigWarning {
  readonly setting: string;
}

/** Returns the signs that a profile is not the owner's own yet: it is the sample, the owner's address is made up, or it has no name. */
export function sampleSignsOf({ ownerEmail }: Config, { path, profile }: ProfileFile): SampleSign[] {
  const sample = {
    found: 'the sample is served',
    remedy: `write profile.yaml with ${toCommandLine('init')}, or set PROFILE`,
  };
  const address = ownerWarningOf(ownerEmail ?? profile.owner_email ?? '');
  const name = nameWarningOf(profile);
  return [
    ...(path === samplePath ? [{ setting: 'PROFILE', ...sample }] : []),
    ...(address === null ? [] : [{ setting: 'OWNER_EMAIL', ...address }]),
    ...(name === null ? [] : [{ setting: 'PROFILE', ...name }]),
  ];
}

/** Whether a profile with such a sign is refused: if others can connect, and ALLOW_SAMPLE is not set. */
export const refusesSample = ({ isPublic, allowSample }: Config): boolean => isPublic && !allowSample;

/** Returns why a server does not start with a profile, a line each. */
export function startFaultsOf(config: Config, file: ProfileFile): string[] {
  if (config.ownerEmail === undefined && file.profile.owner_email === undefined)
    return ['OWNER_EMAIL: set it, or owner_email in the profile, so that notices can reach you'];
  if (!refusesSample(config)) return [];
  return sampleSignsOf(config, file).map(
    (sign) => `${sign.setting}: ${toSentence(sign)} (required if others can connect; ALLOW_SAMPLE=true overrides)`,
  );
}
