/**
 * The part of the network that one subscriber holds: an IPv4 address, or the /64 of an IPv6 one (RFC 6177, section 2).
 * An IPv4 address mapped into IPv6 is the IPv4 address (RFC 4291, section 2.5.5.2).
 */
export function blockOf(address: string): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain;
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
