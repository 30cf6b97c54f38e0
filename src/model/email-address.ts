import isEmail from 'validator/lib/isEmail.js';
import { z } from 'zod';

// validator lets zero-width and bidirectional characters through: category Cf holds them, Z the other spaces, C the controls.
const invisible = /[\p{C}\p{Z}]/u;

/** The normal spelling of an e-mail address (trimmed, domain in lower case), or null where the text is no address (answers, E-mail addresses). */
export function toEmailAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > 254 || invisible.test(address)) return null;
  if (!isEmail.default(address, { allow_utf8_local_part: true })) return null;
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** An e-mail address in its normal spelling. */
export const EmailAddress = z
  .string('must be a string')
  .transform((text, context) => {
    const address = toEmailAddress(text);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: 'must be a valid email address' });
    return z.NEVER;
  })
  .meta({ format: 'idn-email', maxLength: 254 });

/**
 * The one spelling that stands for all of an address: NFC, the domain as A-labels, lower case. Addresses are kept and shown as
 * they were typed; strictly the case of the local part is the receiver's affair (RFC 5321, section 2.4).
 */
export function toCanonicalAddress(address: string): string {
  const domainAt = address.lastIndexOf('@') + 1;
  return toLower(address.slice(0, domainAt)) + toAscii(address.slice(domainAt));
}

const toLower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

// The URL parser maps a domain as UTS 46 does, and is there in browsers. It refuses names that no resolver would look up.
const toAscii = (domain: string): string =>
  URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : toLower(domain);
