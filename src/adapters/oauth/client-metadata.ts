import { z } from 'zod';
import { isVisible } from '../../model/visible-text.ts';

const longestAddress = 2_000;
const mostAddresses = 10;

// Line breaks could forge lines of a mail, and PostgreSQL cannot store NUL.
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

// Other metadata are neither shown nor stored.
const Given = z.object({
  client_id: z.string().optional(),
  client_name: z
    .string()
    .max(200)
    .refine((name) => isVisible(name) && !control.test(name))
    .optional(),
  redirect_uris: z.array(z.string().max(longestAddress).refine(canBeReturnedTo)).max(mostAddresses).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
});

/** Schemes with an authority that browsers and operating systems handle themselves, so that none belongs to one program. */
const publicSchemes = new Set([
  'ftp:',
  'ftps:',
  'sftp:',
  'ssh:',
  'ws:',
  'wss:',
  'smb:',
  'intent:',
  'chrome:',
  'ldap:',
  'ldaps:',
]);

/**
 * Whether a visitor may be sent to an address, besides what the provider checks: over http or https its host is one host without a
 * password, and another scheme is a program's own, such as `cursor://` or `com.example.app:/` (RFC 8252, section 7.1).
 */
function canBeReturnedTo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hostname, href } = new URL(address);
  if (username !== '' || password !== '' || hostname.includes('*')) return false;
  if (protocol === 'http:' || protocol === 'https:') return true;
  return !publicSchemes.has(protocol) && (protocol.includes('.') || href.startsWith(`${protocol}//`));
}

const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Returns the metadata of a client that registers itself (RFC 7591, which lets a server replace values) or has a document. The client
 * becomes public and `native`, so that http is for loopback alone, on any port (RFC 8252). Null if a value is of a wrong type or too long.
 */
export function toClientMetadata(given: unknown): Record<string, unknown> | null {
  const { data } = Given.safeParse(given);
  if (data === undefined) return null;
  const asked = data.grant_types ?? grantTypes;
  return {
    ...data,
    grant_types: grantTypes.filter((type, index) => index === 0 || asked.includes(type)),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
}
