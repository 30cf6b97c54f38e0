import { resourceMetadataPath } from './metadata.ts';

/**
 * Adds to a challenge where the client finds the authorization server (RFC 9728, section 5.1), and the scope to ask for unless the
 * challenge names it.
 */
export function withAuthorizationServer(response: Response, path: string, baseUrl: string): Response {
  const challenge = response.headers.get('www-authenticate');
  if (challenge === null) return response;
  const metadata = `${baseUrl}${resourceMetadataPath}${path === '/mcp' || path === '/mcp/' ? '/mcp' : ''}`;
  const scope = challenge.includes('scope=') ? '' : ', scope="profile:read"';
  response.headers.set('www-authenticate', `${challenge}, resource_metadata="${metadata}"${scope}`);
  return response;
}
