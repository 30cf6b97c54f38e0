import isEmail from 'validator/lib/isEmail.js';
import { z } from 'zod';

// validator accepts zero-width and bidirectional characters. Category C has those and the controls, Z the spaces.
const invisible = /[\p{C}\p{Z}]/u;

// Valid in a local part in quotation marks, but mail programs read another address there.
const ambiguous = /[<>\\]/;

/** How many characters an e-mail address has at most. */
export const longestAddress = 254;

/** Trims an e-mail address, its domain in lower case. Null if the text is not one (answers, E-mail addresses). */
export function toEmailAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > longestAddress || invisible.test(address) || ambiguous.test(address)) return null;
  if (!isEmail.default(address, { allow_utf8_local_part: true })) return null;
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** An e-mail address, normalized by `toEmailAddress`. */
export const EmailAddress = z
  .string('must be a string')
  .transform((text, context) => {
    const address = toEmailAddress(text);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: 'must be a valid email address' });
    return z.NEVER;
  })
  .meta({ format: 'idn-email', maxLength: longestAddress });

/**
 * Converts an e-mail address to its canonical address: NFC, the domain as A-labels, lower case. It is compared only;
 * addresses are stored and shown as typed, because the local part may be case-sensitive (RFC 5321, section 2.4).
 */
export function toCanonicalAddress(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1;
  return toLower(address.slice(0, domainAt)) + toAscii(address.slice(domainAt));
}

const toLower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

// The URL parser applies UTS 46 to a domain, in browsers too. It rejects names that no resolver looks up.
const toAscii = (domain: string): string =>
  URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : toLower(domain);

/** Whether a host is in a domain reserved for examples and tests (RFC 2606, RFC 6761), which nobody can register. */
export const isReservedDomain = (host: string): boolean =>
  /(^|\.)(test|invalid|example|example\.(com|net|org))\.?$/.test(host);

/** Returns why mail to an address can't be delivered, null if it may be. */
export function mailWarningOf(address: string): string | null {
  const canonical = toCanonicalAddress(address);
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1);
  return isReservedDomain(domain) ? `${domain} is an example domain that receives no mail` : null;
}
