import { isVisible } from 'resume-profile/text';
import { z } from 'zod';
import { loopbackNames } from '../../model/oauth.ts';

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
  redirect_uris: z.array(z.string().max(longestAddress)).max(mostAddresses).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
});

/** A refusal of metadata (RFC 7591, section 3.2.2), with a message for developers that quotes nothing of them. */
export class MetadataFault extends Error {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri';

  constructor(error: MetadataFault['error'], message: string) {
    super(message);
    this.error = error;
  }
}

/** The schemes without a dot that clients of MCP are known to use; docs/oauth.md has program and source of each. */
const knownSchemes = [
  'antigravity',
  'claude',
  'cursor',
  'kiro',
  'raycast',
  'systemprompt',
  'trae',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'windsurf',
  'workbuddy',
];

const accepted = `redirect_uris: each must be an https address, an http address of this machine (127.0.0.1, [::1] or localhost), a scheme of the program with a dot (com.example.app:/callback), or a known one (${knownSchemes.join(', ')}), without a password, * or #`;

/** A scheme in the form of a reversed host name, except the scheme of Apple's settings. */
const dottedScheme = /^(?!x-apple\.)[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/;

/** Whether an address is a site's or a program's, by a scheme with a dot (RFC 8252, 7.1) or a known one, not the system's. */
function canBeReturnedTo(address: string): boolean {
  if (/[\s\p{Cc}#]/u.test(address) || !URL.canParse(address)) return false;
  const { protocol, username, password, hostname, host } = new URL(address);
  if (username !== '' || password !== '' || hostname.includes('*')) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return loopbackNames.has(hostname);
  const scheme = protocol.slice(0, -1);
  return dottedScheme.test(scheme) || (knownSchemes.includes(scheme) && host !== '');
}

const grantTypes = ['authorization_code', 'refresh_token'];

/** Returns metadata as RFC 7591 allows: a public, `native` client: http is for loopback (RFC 8252). Throws `MetadataFault`. */
export function toClientMetadata(given: unknown): Record<string, unknown> {
  const { data } = Given.safeParse(given);
  if (data === undefined)
    throw new MetadataFault('invalid_client_metadata', 'The metadata are of a wrong type or too long.');
  if (data.redirect_uris?.every(canBeReturnedTo) === false) throw new MetadataFault('invalid_redirect_uri', accepted);
  const asked = data.grant_types ?? grantTypes;
  return {
    ...data,
    grant_types: grantTypes.filter((type, index) => index === 0 || asked.includes(type)),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
}
