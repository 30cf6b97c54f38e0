/** Whether a host is one that documents are written with and nobody can have (RFC 2606, RFC 6761). */
export const isMadeUp = (host: string): boolean => /(^|\.)(test|invalid|example|example\.(com|net|org))$/.test(host);

/** Why nothing that is sent to a mail address will arrive; null if it may. */
export function mailDoubtOf(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return isMadeUp(domain) ? `${domain} is a made-up domain that takes no mail` : null;
}
