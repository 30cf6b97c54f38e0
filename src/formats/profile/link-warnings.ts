import { isReservedDomain } from '../../model/reserved-domains.ts';

/** Returns why a link of the profile probably does not work for others, null if it may; makes no request. */
export function linkWarningOf(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (/(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(hostname))
    return `${hostname} exists on one machine or network only`;
  if (isReservedDomain(hostname)) return `${hostname} is an example address that nobody can open`;
  if (/^\d+(\.\d+){3}$/.test(hostname))
    return `${hostname} is an IP address; use a host name, which can move to another machine`;
  if (!hostname.includes('.')) return `${hostname} has no ending such as .com`;
  if (protocol === 'http:') return 'begins with http://, which browsers call not secure; try https://';
  return null;
}
