import { isMadeUp } from '../../model/made-up-domains.ts';

/** Why a link of the profile will probably not work for others, judged without asking the network; null where it may. */
export function linkDoubtOf(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (/(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(hostname))
    return `${hostname} exists on one machine or network only`;
  if (isMadeUp(hostname)) return `${hostname} is a made-up address that nobody can open`;
  if (/^\d+(\.\d+){3}$/.test(hostname))
    return `${hostname} is the number of a machine; use a name, which stays when the machine changes`;
  if (!hostname.includes('.')) return `${hostname} has no ending such as .com`;
  if (protocol === 'http:') return 'begins with http://, which browsers call not secure; try https://';
  return null;
}
