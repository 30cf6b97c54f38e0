import { withLoopbackHostOf } from '../../model/oauth.ts';
import { readScopes, type Scope } from '../../model/token.ts';

/** The two resources that tokens are issued for: the service, with all scopes, and `/mcp`, with `mcpScopes`. */
export interface Resources {
  readonly baseUrl: string;
  readonly mcpScopes: readonly Scope[];
}

/** The parameters that are passed on (RFC 6749, RFC 7636); others, such as `response_mode`, are ignored. */
const known = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];

/** The longest state, which is stored with the request, in bytes; those of programs have about 100. */
export const longestState = 2_048;

/** Converts the parameters of an authorization request for the provider: known ones alone, with one of our scopes and one resource. */
export function toAuthorizationRequest(given: URLSearchParams, resources: Resources): URLSearchParams {
  const request = new URLSearchParams();
  // Repeated ones are refused by the provider.
  for (const name of known) for (const value of given.getAll(name)) request.append(name, value);
  // Another prompt changes nothing, because the visitor is always asked.
  if (given.get('prompt') === 'none') request.set('prompt', 'none');
  setResource(request, given, resources);
  if (!request.has('resource')) request.set('resource', resources.baseUrl);
  request.set('scope', scopesFor(request, given.getAll('scope').join(' '), resources) || 'profile:read');
  return request;
}

/** Converts the parameters of a token request for the provider: with our scopes alone, and one resource. */
export function toTokenRequest(given: URLSearchParams, resources: Resources): URLSearchParams {
  const request = new URLSearchParams(given);
  request.delete('resource');
  setResource(request, given, resources);
  const scope = given.get('scope');
  // A client may ask for less than it was granted; unknown scopes are ignored, as in the authorization request.
  if (scope === null) return request;
  const scopes = scopesFor(request, scope, resources);
  if (scopes === '') request.delete('scope');
  else request.set('scope', scopes);
  return request;
}

/** Returns the scopes that a text names and that the resource of a request has. */
function scopesFor(request: URLSearchParams, text: string, { baseUrl, mcpScopes }: Resources): string {
  const isForMcp = request.get('resource') === `${baseUrl}/mcp`;
  return readScopes(text)
    .filter((scope) => !isForMcp || mcpScopes.includes(scope))
    .join(' ');
}

/** Sets the resource without the slash that clients add to an origin, and by the name that BASE_URL has for this machine. Several are joined to one that does not exist, which is refused. */
function setResource(request: URLSearchParams, given: URLSearchParams, { baseUrl }: Resources): void {
  const resources = new Set(given.getAll('resource').map((resource) => toResource(resource, baseUrl)));
  if (resources.size > 0) request.set('resource', [...resources].join(' '));
}

function toResource(resource: string, baseUrl: string): string {
  const bare = withLoopbackHostOf(resource.replace(/\/$/, ''), baseUrl);
  return URL.canParse(bare) && new URL(bare).href === new URL(baseUrl).href ? baseUrl : bare;
}
