import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Provider, { type AdapterPayload, errors } from 'oidc-provider';
import { Failure } from '../../model/failure.ts';
import { hasDocument, type PendingRequest, toOauthClientName, withLoopbackHostOf } from '../../model/oauth.ts';
import { readScopes } from '../../model/token.ts';
import { type AddressVisitor, byAddress, toVisitorText, type Visitor } from '../../model/visitor.ts';
import { hash } from '../node-crypto.ts';
import { MetadataFault, toClientMetadata } from './client-metadata.ts';
import { type AddClient, type AuthorizationOptions, openProvider } from './provider.ts';
import { recordIdOf, requestingClientOf } from './storage.ts';

/** Opens OAuth 2.1 by oidc-provider, again whenever the keys change; implements `AuthorizationServer` of the surface. */
export function openAuthorizationServer(options: AuthorizationOptions) {
  const { baseUrl, keys } = options;
  // The provider does not tell the storage which request a client is stored for.
  const registering = new AsyncLocalStorage<AddClient>();
  const addClient: AddClient = (id, metadata) => registering.getStore()!(id, metadata);
  let made: { readonly provider: Promise<Provider>; readonly keys: unknown } | undefined;

  function provider(): Promise<Provider> {
    if (made?.keys === keys.verifying) return made.provider;
    const secrets = keys.secretsFor('oauth cookies').map((secret) => secret.toString('base64url'));
    made = { provider: openProvider({ ...options, addClient }, secrets), keys: keys.verifying };
    return made.provider;
  }

  async function ask(request: SentRequest): Promise<Response> {
    const { incoming, outgoing, response } = nodeExchangeOf(baseUrl, request);
    await (await provider()).callback()(incoming, outgoing);
    return response;
  }

  const post = (target: string, type: string, body: string, from: string | null = null) =>
    ask({ method: 'POST', target, headers: { 'content-type': type }, body, from });

  const cookieOf = (request: Request) => ({ cookie: request.headers.get('cookie') ?? '' });

  /** Returns the interaction that the cookie names; null if the page has another id. */
  async function interactionOf(request: Request, uid: string) {
    const { incoming, outgoing } = nodeExchangeOf(baseUrl, { method: 'GET', target: '/', headers: cookieOf(request) });
    const interaction = await (await provider()).interactionDetails(incoming, outgoing).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) return null;
      throw error;
    });
    return interaction?.uid === uid ? interaction : null;
  }

  return {
    authorize(request: Request, id: string, from: string | null): Promise<Response> {
      const { searchParams } = new URL(request.url);
      if (Buffer.byteLength(searchParams.get('state') ?? '') > longestState) return Promise.resolve(stateTooLong());
      const query = toAuthorizationRequest(searchParams, options);
      const target = id === '' ? `/oauth/authorize?${query}` : `/oauth/authorize/${id}`;
      return ask({ method: 'GET', target, headers: cookieOf(request), from });
    },

    token: (fields: URLSearchParams, from: string | null): Promise<Response> =>
      post('/oauth/token', 'application/x-www-form-urlencoded', `${toTokenRequest(fields, options)}`, from),

    revoke: (fields: URLSearchParams): Promise<Response> => revokeToken(fields, options),

    async register(given: unknown, add: AddClient): Promise<Response> {
      let metadata: Record<string, unknown>;
      try {
        metadata = toClientMetadata(given);
      } catch (fault) {
        if (!(fault instanceof MetadataFault)) throw fault;
        return refuse(fault.error, fault.message);
      }
      const { client_id: _, ...own } = metadata;
      return registering.run(add, () => post('/oauth/register', 'application/json', JSON.stringify(own)));
    },

    async pending(request: Request, id: string): Promise<PendingRequest | null> {
      const found = await interactionOf(request, id);
      if (found === null) return null;
      const { params, result } = found;
      const { client_id, redirect_uri, scope, resource } = params as Record<string, string>;
      const { address = null, isVerified = false } = (result ?? {}) as { address?: string; isVerified?: boolean };
      return {
        requestId: hash(`grant ${id}`),
        grantId: hash(`grant ${id} ${address}`),
        clientId: client_id!,
        clientName: toOauthClientName(requestingClientOf(found)?.client_name) ?? nameOf(client_id!),
        redirectUri: redirect_uri!,
        scopes: readScopes(scope ?? ''),
        isForMcp: resource !== baseUrl,
        visitor: address === null ? null : byAddress(address),
        isVerified,
      };
    },

    async keepVisitor(
      request: Request,
      id: string,
      visitor: AddressVisitor | null,
      isVerified: boolean,
    ): Promise<void> {
      await answer(request, id, visitor === null ? {} : { address: visitor.address, isVerified });
    },

    finish: (request: Request, id: string, grant: { visitor: Visitor; id: string } | null): Promise<string> =>
      answer(
        request,
        id,
        grant === null
          ? { error: 'access_denied', error_description: 'The visitor did not allow it.' }
          : { login: { accountId: toVisitorText(grant.visitor), remember: false }, consent: { grantId: grant.id } },
      ),
  };

  async function answer(request: Request, id: string, result: Record<string, unknown>): Promise<string> {
    const found = await interactionOf(request, id);
    if (found === null) throw new Failure('NOT_FOUND');
    found.result = result;
    await found.persist();
    return found.returnTo;
  }
}

type Resources = Pick<AuthorizationOptions, 'baseUrl' | 'mcpScopes'>;

/** The parameters that are passed on (RFC 6749, RFC 7636); others, such as `response_mode`, are ignored. */
const known = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'];

/** The longest state, which is stored with the request, in bytes; programs send about 100. */
const longestState = 2_048;

/** Converts an authorization request for the provider: known parameters, with our scopes and one resource. */
function toAuthorizationRequest(given: URLSearchParams, resources: Resources): URLSearchParams {
  const request = new URLSearchParams();
  // The provider refuses repeated parameters.
  for (const name of known) for (const value of given.getAll(name)) request.append(name, value);
  // Another prompt changes nothing, because the visitor is always asked.
  if (given.get('prompt') === 'none') request.set('prompt', 'none');
  setResource(request, given, resources);
  if (!request.has('resource')) request.set('resource', resources.baseUrl);
  request.set('scope', scopesFor(request, given.getAll('scope').join(' '), resources) || 'profile:read');
  return request;
}

/** Converts the parameters of a token request for the provider: with our scopes and one resource. */
function toTokenRequest(given: URLSearchParams, resources: Resources): URLSearchParams {
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

function scopesFor(request: URLSearchParams, text: string, { baseUrl, mcpScopes }: Resources): string {
  const isForMcp = request.get('resource') === `${baseUrl}/mcp`;
  return readScopes(text)
    .filter((scope) => !isForMcp || mcpScopes.includes(scope))
    .join(' ');
}

/** Sets the resource, spelled as BASE_URL is. Several resources are joined to an unknown one, which is refused. */
function setResource(request: URLSearchParams, given: URLSearchParams, { baseUrl }: Resources): void {
  const resources = new Set(given.getAll('resource').map((resource) => toResource(resource, baseUrl)));
  if (resources.size > 0) request.set('resource', [...resources].join(' '));
}

function toResource(resource: string, baseUrl: string): string {
  const bare = withLoopbackHostOf(resource.replace(/\/$/, ''), baseUrl);
  return URL.canParse(bare) && new URL(bare).href === new URL(baseUrl).href ? baseUrl : bare;
}

const refuse = (error: string, error_description: string) =>
  Response.json({ error, error_description }, { status: 400 });

/** Responds to the browser, not to the client: a redirect would have to repeat the state. */
const stateTooLong = (): Response => refuse('invalid_request', `state is longer than ${longestState} bytes`);

/** Revokes a refresh token with its grant, or one access token (RFC 7009). Clients are public, so only their name counts. */
async function revokeToken(fields: URLSearchParams, { store, tokens, now }: AuthorizationOptions): Promise<Response> {
  const [clientId, text] = [fields.get('client_id') ?? '', fields.get('token') ?? ''];
  if (clientId === '' || text === '') return refuse('invalid_request', 'client_id and token are required');
  const record = await store.records.find(recordIdOf('RefreshToken', text), now());
  const granted = record && (JSON.parse(record.payload) as AdapterPayload);
  const token = granted === null ? await tokens.verify(text, 'mcp') : null;
  // A token that is unknown, expired or revoked already counts as revoked (section 2.2).
  if (granted === null && token === null) return new Response(null);
  if ((granted ?? token?.access)?.clientId !== clientId)
    return refuse('invalid_grant', 'the token was issued to another client');
  if (token !== null) await tokens.revoke(token);
  else {
    await store.grants.end(granted!.grantId!, now());
    await tokens.refresh();
  }
  return new Response(null);
}

/** Returns the name for a client without a visible name: the host of its document if it has one, otherwise its id. */
const nameOf = (id: string): string => (hasDocument(id) ? new URL(id).host : id);

interface SentRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the public address, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The network address of the client, which limits go by; null if unknown. */
  readonly from?: string | null;
}

/** Makes a request and response of Node's. Host, scheme and path are those of the public address, never of the request. */
function nodeExchangeOf(baseUrl: string, { method, target, headers, body = '', from = null }: SentRequest) {
  const { host, protocol, pathname } = new URL(baseUrl);
  const socket = Object.assign(new Socket(), { encrypted: protocol === 'https:' });
  Object.defineProperty(socket, 'remoteAddress', { value: from ?? undefined });
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method, url: target, originalUrl: pathname.replace(/\/$/, '') + target });
  Object.assign(incoming.headers, { host, ...headers, 'content-length': String(Buffer.byteLength(body)) });
  incoming.push(body);
  incoming.push(null);
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  const outgoing = new ServerResponse(incoming);
  // Instead of to a socket, the library's response goes to the caller.
  outgoing.end = ((content?: string | Uint8Array<ArrayBuffer>) => {
    const status = outgoing.statusCode;
    const isEmpty = status === 204 || status === 304 || content === undefined || content.length === 0;
    const fields = Object.entries(outgoing.getHeaders()).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    resolve(new Response(isEmpty ? null : content, { status, headers: fields }));
    return outgoing;
  }) as ServerResponse['end'];
  return { incoming, outgoing, response };
}
