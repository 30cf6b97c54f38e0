import type { AdapterPayload } from 'oidc-provider';
import type { Options } from './options.ts';
import { recordIdOf } from './storage.ts';

const refuse = (error: string, error_description: string) =>
  Response.json({ error, error_description }, { status: 400 });

/**
 * Responds to the form with which a client revokes a token of its own (RFC 7009): a refresh token, which ends the grant with all its
 * tokens, or an access token, which ends alone. Clients are public, so the name of the client is all that is checked.
 */
export async function revokeToken(fields: URLSearchParams, { store, tokens, now }: Options): Promise<Response> {
  const [clientId, text] = [fields.get('client_id') ?? '', fields.get('token') ?? ''];
  if (clientId === '' || text === '') return refuse('invalid_request', 'client_id and token are required');
  const record = await store.findOauthRecord(recordIdOf('RefreshToken', text), now());
  const granted = record && (JSON.parse(record.payload) as AdapterPayload);
  const token = granted === null ? await tokens.verify(text, 'mcp') : null;
  // One that is unknown, has expired or was revoked before is as good as revoked (section 2.2).
  if (granted === null && token === null) return new Response(null);
  if ((granted ?? token?.access)?.clientId !== clientId)
    return refuse('invalid_grant', 'the token was issued to another client');
  if (token !== null) await tokens.revoke(token);
  else {
    await store.endGrant(granted!.grantId!, now());
    await tokens.refresh();
  }
  return new Response(null);
}
