import { mailWarningOf } from 'resume-profile/email-address';
import type { Profile } from 'resume-profile/profile-document';
import { isVisible } from 'resume-profile/text';
import type { DocumentVersion } from '../../model/profile/document-state.ts';
import { toCommandLine } from '../program-name.ts';
import { type Config, isLoopback, samplePath } from './config.ts';

/** A setting that is valid but probably a mistake, and what to do about it. */
interface ConfigWarning {
  readonly found: string;
  readonly remedy: string;
}

/** Returns a warning if other machines can connect, but only this machine can open the public address. */
export function addressWarningOf({ host }: Config, baseUrl: string): ConfigWarning | null {
  if (isLoopback(host) || !isLoopback(new URL(baseUrl).hostname)) return null;
  return {
    found: `other machines can connect (HOST=${host}), but not open addresses that begin with ${baseUrl}`,
    remedy: 'set BASE_URL to the public address',
  };
}

export function scatteredMailWarningOf({ database, smtpUrl, dataDir }: Config): ConfigWarning | null {
  if ('file' in database || smtpUrl !== undefined) return null;
  return {
    found: `SMTP_URL is not set: each replica writes the mails that it sends to files of its own, in ${dataDir}/mail`,
    remedy: 'set it to receive mail',
  };
}

/** Returns a warning if the newest text was published at a desk, and the file has another text. */
export function otherTextWarningOf(
  newest: Pick<DocumentVersion, 'kind' | 'revision' | 'at'>,
  file: { readonly name: string; readonly revision: string },
): ConfigWarning | null {
  if (newest.kind === 'outside' || newest.revision === file.revision) return null;
  return {
    found: `the desk of another replica published the profile on ${newest.at.toISOString().slice(0, 10)}, and ${file.name} has another text`,
    remedy: `give each replica the same file; ${toCommandLine('history', 'show', 'ID')} prints what was published`,
  };
}

export function ownerWarningOf(address: string): ConfigWarning | null {
  const warning = mailWarningOf(address);
  if (warning === null) return null;
  return { found: `notices reach nobody: ${warning}`, remedy: 'set OWNER_EMAIL, or owner_email in the profile' };
}

export const nameWarningOf = ({ candidate }: Profile): ConfigWarning | null =>
  isVisible(candidate.name) ? null : { found: 'visitors see no name', remedy: 'write candidate.name in the profile' };

export const setupCodeWarningOf = ({ setupCode }: Config): ConfigWarning | null =>
  setupCode === undefined
    ? null
    : { found: 'SETUP_CODE opens nothing, because there is a profile', remedy: 'remove it from the settings' };

/** A service without a profile, although its database has had one. */
export const lostProfileWarning: ConfigWarning = {
  found: 'there is no profile, and SETUP_CODE opens nothing, because this database has had a profile',
  remedy: 'put its file back, or sign in at the desk with a link and restore a version',
};

export const toSentence = ({ found, remedy }: ConfigWarning): string => `${found}; ${remedy}`;

/** A profile, null before the first, and the path of its file, null if it is at an address. */
interface ProfileFile {
  readonly path: string | null;
  readonly profile: Profile | null;
}

/** Returns the signs that a profile is not the owner's yet: it is the sample, has an invented address, or lacks a name. */
export function sampleSignsOf(
  { ownerEmail }: Config,
  { path, profile }: ProfileFile,
): (ConfigWarning & { readonly setting: string })[] {
  const sample = {
    found: 'the sample is served',
    remedy: `write profile.yaml with ${toCommandLine('init')}, or set PROFILE`,
  };
  const address = ownerWarningOf(ownerEmail ?? profile?.owner_email ?? '');
  const name = profile && nameWarningOf(profile);
  return [
    ...(path === samplePath ? [{ setting: 'PROFILE', ...sample }] : []),
    ...(address === null ? [] : [{ setting: 'OWNER_EMAIL', ...address }]),
    ...(name === null ? [] : [{ setting: 'PROFILE', ...name }]),
  ];
}

/** Whether a profile with such a sign is refused: others can connect, and ALLOW_SAMPLE is not set. */
export const refusesSample = ({ isPublic, allowSample }: Config): boolean => isPublic && !allowSample;

/** Returns why a server does not start with a profile's address for notices, in words that follow it; null if it does. */
export function ownerFaultOf(config: Config, { owner_email }: Pick<Profile, 'owner_email'>): string | null {
  if (config.ownerEmail !== undefined) return null;
  if (owner_email === undefined) return 'must be set, so that notices can reach you';
  return refusesSample(config) ? mailWarningOf(owner_email) : null;
}

/** Returns why a server does not start with a profile, one reason per line. */
export function startFaultsOf(config: Config, file: ProfileFile): string[] {
  if (config.ownerEmail === undefined && file.profile?.owner_email === undefined)
    return [
      `OWNER_EMAIL: set it${file.profile === null ? '' : ', or owner_email in the profile'}, so that notices can reach you`,
    ];
  if (!refusesSample(config)) return [];
  return sampleSignsOf(config, file).map(
    (sign) => `${sign.setting}: ${toSentence(sign)} (required if others can connect; ALLOW_SAMPLE=true overrides)`,
  );
}
