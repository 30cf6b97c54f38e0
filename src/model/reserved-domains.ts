import { toCanonicalAddress } from './email-address.ts';

/** Whether a host is in a domain reserved for examples and tests (RFC 2606, RFC 6761), which nobody can register. */
export const isReservedDomain = (host: string): boolean =>
  /(^|\.)(test|invalid|example|example\.(com|net|org))\.?$/.test(host);

/** Returns why mail to an address can't be delivered, null if it may be. */
export function mailWarningOf(address: string): string | null {
  const canonical = toCanonicalAddress(address);
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  return isReservedDomain(domain) ? `${domain} is an example domain that receives no mail` : null;
}
