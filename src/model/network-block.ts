/** Such as `192.0.2.9:443`, `[2001:db8::1]:443` or `fe80::1%eth0`; a quoted string in a header may hold each of them. */
const written = /^("?)(?:([\d.]+)(?::\d+)?|\[([\da-f:.]+)(?:%[^\]]+)?\](?::\d+)?|([\da-f:.]+)(?:%[^"]+)?)\1$/i;

/**
 * The canonical spelling of a network address, without port and zone; null if the text is not an address. IPv6 is spelled as
 * in RFC 5952, an IPv4 address mapped into IPv6 is the IPv4 address (RFC 4291, section 2.5.5.2).
 */
export function toAddress(text: string): string | null {
  const [, , v4, bracketed, v6 = bracketed] = written.exec(text) ?? [];
  if (v4 !== undefined) return hostnameOf(v4) === v4 ? v4 : null;
  const canonical = v6 === undefined ? null : hostnameOf(`[${v6}]`);
  if (canonical === null) return null;
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical.slice(1, -1);
  return [high, low].flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]).join('.');
}

/**
 * The part of the network that one subscriber holds: an IPv4 address, or the /64 of an IPv6 one (RFC 6177, section 2). What
 * is not an address is a block of its own.
 */
export function blockOf(text: string): string {
  const address = toAddress(text);
  if (!address?.includes(':')) return address ?? text;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

/** The host as the URL standard spells it: it expands short and octal IPv4 addresses, and compresses IPv6 ones. */
const hostnameOf = (host: string): string | null => URL.parse(`http://${host}`)?.hostname ?? null;
