/** Matches `192.0.2.9:443`, `[2001:db8::1]:443` and `fe80::1%eth0`, also as a quoted string of a header. */
const addressPattern = /^("?)(?:([\d.]+)(?::\d+)?|\[([\da-f:.]+)(?:%[^\]]+)?\](?::\d+)?|([\da-f:.]+)(?:%[^"]+)?)\1$/i;

/** Normalizes an address without port and zone (RFC 5952; IPv4-mapped as IPv4, RFC 4291, 2.5.5.2); null if it is none. */
export function toAddress(text: string): string | null {
  const [, , v4, bracketed, v6 = bracketed] = addressPattern.exec(text) ?? [];
  if (v4 !== undefined) return hostnameOf(v4) === v4 ? v4 : null;
  const canonical = v6 === undefined ? null : hostnameOf(`[${v6}]`);
  if (canonical === null) return null;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical.slice(1, -1);
  return [high, low].flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]).join('.');
}

/** The block of one subscriber: an IPv4 address, or an IPv6 /64 (RFC 6177, section 2); any other text unchanged. */
export const blockOf = (text: string): string => networkOf(text, 64);

/** Returns the network of a household or office: an IPv4 address, or the /56 prefix of an IPv6 address (RFC 6177). */
export const siteOf = (text: string): string => networkOf(text, 56);

function networkOf(text: string, bits: 56 | 64): string {
  const address = toAddress(text);
  return address?.includes(':') ? prefixOf(address, bits) : (address ?? text);
}

function prefixOf(address: string, bits: 56 | 64): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right];
  const fourth = Number.parseInt(groups[3]!, 16) & (0xffff << (64 - bits));
  return `${groups.slice(0, 3).join(':')}:${fourth.toString(16)}::/${bits}`;
}

/** The host as normalized by the URL parser: short and octal IPv4 addresses are expanded, IPv6 addresses compressed. */
const hostnameOf = (host: string): string | null => URL.parse(`http://${host}`)?.hostname ?? null;
