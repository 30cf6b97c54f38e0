import { readScopes } from '../../model/grant.ts';

/** The parameters that mean something here (RFC 6749, RFC 7636, RFC 8707); others are for other kinds of servers and are ignored. */
const known = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];

/** Returns the parameters of an authorization request as the provider is to see them: with a scope of ours, and one resource. */
export function toAuthorizationRequest(given: URLSearchParams, baseUrl: string): URLSearchParams {
  const request = new URLSearchParams();
  // Repeated ones are refused by the provider.
  for (const name of known) for (const value of given.getAll(name)) request.append(name, value);
  // Another prompt changes nothing, because the visitor is always asked.
  if (given.get('prompt') === 'none') request.set('prompt', 'none');
  const scopes = readScopes(given.getAll('scope').join(' '));
  request.set('scope', scopes.length === 0 ? 'profile:read' : scopes.join(' '));
  setResource(request, given, baseUrl);
  if (!request.has('resource')) request.set('resource', baseUrl);
  return request;
}

/** Returns the parameters of a token request as the provider is to see them. */
export function toTokenRequest(given: URLSearchParams, baseUrl: string): URLSearchParams {
  const request = new URLSearchParams(given);
  request.delete('resource');
  setResource(request, given, baseUrl);
  const scope = given.get('scope');
  // A client may ask for less than it was granted; words that mean nothing here are ignored, as when it asked first.
  if (scope === null) return request;
  const scopes = readScopes(scope).join(' ');
  if (scopes === '') request.delete('scope');
  else request.set('scope', scopes);
  return request;
}

/** Sets the resource without the slash that clients add to an origin. Several make one that there is not. */
function setResource(request: URLSearchParams, given: URLSearchParams, baseUrl: string): void {
  const resources = new Set(given.getAll('resource').map((resource) => toResource(resource, baseUrl)));
  if (resources.size > 0) request.set('resource', [...resources].join(' '));
}

function toResource(resource: string, baseUrl: string): string {
  const bare = resource.replace(/\/$/, '');
  return URL.canParse(bare) && new URL(bare).href === new URL(baseUrl).href ? baseUrl : bare;
}
