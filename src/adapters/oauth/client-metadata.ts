import { z } from 'zod';

const longestAddress = 2_000;
const mostAddresses = 10;

// What else a client says of itself is neither shown nor stored.
const Given = z.object({
  client_id: z.string().optional(),
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string().max(longestAddress)).max(mostAddresses).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
});

const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Returns the metadata of a client as the provider is to see them, whether the client registers itself (RFC 7591, which lets a
 * server replace what was asked for) or has a document: it is public, and `native`, so that http is for loopback alone, where any
 * port will do (RFC 8252). Null if they are of the wrong types or too long.
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
