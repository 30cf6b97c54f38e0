import { withLoopbackHostOf } from '../../model/oauth/loopback.ts';
import { resourceMetadataPath } from './metadata.ts';

/**
 * Adds to a challenge where the client finds the authorization server (RFC 9728, section 5.1), and the scope to ask for unless the
 * challenge names it.
 */
export function withAuthorizationServer(response: Response, { url }: Request, baseUrl: string): Response {
  const challenge = response.headers.get('www-authenticate');
  if (challenge === null) return response;
  const path = new URL(url).pathname;
  const metadata = `${withLoopbackHostOf(baseUrl, url)}${resourceMetadataPath}${path === '/mcp' || path === '/mcp/' ? '/mcp' : ''}`;
  const scope = challenge.includes('scope=') ? '' : ', scope="profile:read"';
  response.headers.set('www-authenticate', `${challenge}, resource_metadata="${metadata}"${scope}`);
  return response;
}
