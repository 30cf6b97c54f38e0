import type { Profile } from '../../model/profile/profile-document.ts';
import { mailWarningOf } from '../../model/reserved-domains.ts';
import { isVisible } from '../../model/visible-text.ts';
import { type Config, isLoopback } from './config.ts';

/** A setting that is valid but probably not meant, and what to do about it. */
export interface ConfigWarning {
  readonly found: string;
  readonly remedy: string;
}

/** Returns a warning if other machines can connect, but the public address is one that only this machine can open. */
export function addressWarningOf({ host }: Config, baseUrl: string): ConfigWarning | null {
  if (isLoopback(host) || !isLoopback(new URL(baseUrl).hostname)) return null;
  return {
    found: `other machines can connect (HOST=${host}), but not open addresses that begin with ${baseUrl}`,
    remedy: 'set BASE_URL to the public address',
  };
}

/** Returns a warning if each of several replicas would write mails to files of its own. */
export function scatteredMailWarningOf({ database, smtpUrl, dataDir }: Config): ConfigWarning | null {
  if ('file' in database || smtpUrl !== undefined) return null;
  return {
    found: `SMTP_URL is not set: each replica writes the mails that it sends to files of its own, in ${dataDir}/mail`,
    remedy: 'set it to receive mail',
  };
}

/** Returns a warning if the address for notices is in a domain that receives no mail. */
export function ownerWarningOf(address: string): ConfigWarning | null {
  const warning = mailWarningOf(address);
  if (warning === null) return null;
  return { found: `notices reach nobody: ${warning}`, remedy: 'set OWNER_EMAIL, or owner_email in the profile' };
}

/** Returns a warning if the candidate has no name that can be seen. */
export const nameWarningOf = ({ candidate }: Profile): ConfigWarning | null =>
  isVisible(candidate.name) ? null : { found: 'visitors see no name', remedy: 'write candidate.name in the profile' };

/** Returns the warning and its remedy in one line. */
export const toSentence = ({ found, remedy }: ConfigWarning): string => `${found}; ${remedy}`;
