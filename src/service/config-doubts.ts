import { mailDoubtOf } from '../model/made-up-domains.ts';
import { type Config, isLoopback } from './config.ts';

/** What the settings allow but probably do not mean, and what to do about it. */
export interface Doubt {
  readonly found: string;
  readonly remedy: string;
}

/** The doubt about a service that other machines reach, if its public address is one that only this machine does. */
export function addressDoubtOf({ host }: Config, baseUrl: string): Doubt | null {
  if (isLoopback(host) || !isLoopback(new URL(baseUrl).hostname)) return null;
  return {
    found: `other machines can connect (HOST=${host}), but not open addresses that begin with ${baseUrl}`,
    remedy: 'set BASE_URL to the public address',
  };
}

/** The doubt about the address that notices go to. */
export function ownerDoubtOf(address: string): Doubt | null {
  const doubt = mailDoubtOf(address);
  if (doubt === null) return null;
  return { found: `notices reach nobody: ${doubt}`, remedy: 'set OWNER_EMAIL, or owner_email in the profile' };
}

export const toSentence = ({ found, remedy }: Doubt): string => `${found}; ${remedy}`;
