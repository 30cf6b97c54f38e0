import { Hono } from 'hono';
import { Failure } from '../model/failure.ts';
import { type PendingRequest, toOauthError, withLoopbackHostOf } from '../model/oauth.ts';
import { type Scope, scopes } from '../model/token.ts';
import type { AddressVisitor, Visitor } from '../model/visitor.ts';
import type { Services } from '../operations/ports.ts';
import { limitAction } from '../operations/quotas.ts';
import { bearerTokenOf, type Connection, readBytes, readCaller } from './request.ts';
import { documentHandler, documentOf, documentResponse, type PublicHandler, publicHandler } from './rest/documents.ts';
import { anyOrigin, challengeTo, failureResponse } from './rest/responses.ts';

/** The authorization server without its pages. Requests are bound to the browser that began them, by a cookie. */
export interface AuthorizationServer {
  /** Responds to an authorization request or, with an id, to the return to one: a redirect, or an error in JSON. */
  authorize(request: Request, id: string, from: string | null): Promise<Response>;
  token(fields: URLSearchParams, from: string | null): Promise<Response>;
  revoke(fields: URLSearchParams, from: string | null): Promise<Response>;
  /** Throws `RATE_LIMITED` if a network registers too many clients. */
  register(metadata: unknown, from: string | null): Promise<Response>;
  /** Returns the request with this id; null if it has expired, or another browser began it. */
  pending(request: Request, id: string): Promise<PendingRequest | null>;
  /** Stores the visitor with the request; null removes them. Throws `NOT_FOUND` if the request expired. */
  keepVisitor(request: Request, id: string, visitor: AddressVisitor | null, isVerified: boolean): Promise<void>;
  /** Ends the request, null refuses it; returns the URL to go to. Throws `NOT_FOUND` if the request expired. */
  finish(request: Request, id: string, grant: { visitor: Visitor; id: string } | null): Promise<string>;
  /** Returns until when a grant made now lasts, if it is not used. */
  grantExpiry(): Date;
}

type Http = Hono<{ Bindings: Connection }>;

const form = { type: 'application/x-www-form-urlencoded', limitBytes: 16 * 1024 };
const json = { type: 'application/json', limitBytes: 16 * 1024 };

/** The error of RFC 6750, section 3.1. A client whose settings name this header keeps sending it after a sign-in. */
const endedToken = {
  error: 'invalid_token',
  error_description:
    'The token in the Authorization header has expired or was revoked. Put a new one in its place, or remove the header to sign in.',
};

interface OauthEndpointOptions {
  readonly baseUrl: string;
  readonly mcpScopes: readonly Scope[];
  /** Whether a client may have the address of its metadata document as its id. */
  readonly readsClientDocuments: boolean;
  /** Loads the library at the first call. */
  readonly server: () => Promise<AuthorizationServer>;
  readonly services: Pick<Services, 'tokens' | 'audit' | 'limits'>;
}

/** Routes the requests of clients for metadata, registration, tokens and revocation to the authorization server. */
export function oauthEndpointsOf(options: OauthEndpointOptions): Http {
  const { baseUrl, mcpScopes, server, services } = options;
  const http: Http = new Hono({ strict: false });
  const serve = (path: string, respond: PublicHandler) => http.all(path, ({ req, env }) => respond(req.raw, env));
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  function serveResource(path: '' | '/mcp', scopes: readonly Scope[]): void {
    const respond = publicHandler((request) => {
      const metadata = resourceMetadata(baseUrl, request.url, path, scopes);
      return documentResponse(documentOf('application/json', JSON.stringify(metadata)), request);
    });
    for (const one of new Set(['', prefix])) serve(resourceMetadataPath + one + path, respond);
  }
  serveResource('', scopes);
  serveResource('/mcp', mcpScopes);
  const metadata = documentHandler(() => serverMetadata(options));
  for (const path of serverMetadataPathsOf(prefix)) serve(path, metadata);

  const onPost = (path: string, respond: PublicHandler) => {
    const handle: PublicHandler = async (...request) => fromAnyOrigin(await respond(...request));
    serve(path, publicHandler(handle, 'POST, OPTIONS', explain));
  };
  const readText = async (request: Request, rules: typeof form) =>
    new TextDecoder().decode(await readBytes(request, rules));
  for (const name of ['token', 'revoke'] as const)
    onPost(`/oauth/${name}`, async (request, { address }) => {
      const fields = new URLSearchParams(await readText(request, form));
      const refusal = limitAction(`/oauth/${name}`, address, services);
      if (refusal !== null) throw refusal;
      return (await server())[name](fields, address);
    });
  onPost('/oauth/register', async (request, connection) => {
    const refused = await refusalOfToken(request, connection);
    if (refused !== null) return refused;
    const body = await readText(request, json);
    // The token may have ended while the body was being received.
    return (await refusalOfToken(request, connection)) ?? (await server()).register(parse(body), connection.address);
  });
  return http;

  /** Returns the response to a request with a token that has ended; null without a token, or with a valid one. */
  async function refusalOfToken(request: Request, connection: Connection): Promise<Response | null> {
    const authorization = request.headers.get('authorization');
    if (bearerTokenOf(authorization) === null) return null;
    const { token } = await readCaller(request, connection, services, 'mcp');
    if (token !== null) return null;
    return Response.json(endedToken, { status: 401, headers: { 'www-authenticate': challengeTo(authorization) } });
  }
}

/** Lets pages of any origin read a response, because clients may run in a browser. */
function fromAnyOrigin(response: Response): Response {
  for (const [name, value] of Object.entries(anyOrigin)) response.headers.set(name, value);
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** Responds with a body of OAuth if the client may try again: after another one it would ask the visitor once more. */
function explain(failure: Failure, request: Request): Response {
  const response = failureResponse(failure, request);
  if (failure.retryAfterSeconds === null) return response;
  const { status, headers } = response;
  headers.delete('content-length');
  return Response.json(toOauthError(failure), { status, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('BAD_REQUEST', 'Request body must be valid JSON');
  }
}

/** The path of the protected resource metadata (RFC 9728, section 3.1). */
const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/**
 * The metadata of a resource, the service or `/mcp` (RFC 9728). On loopback it has the requested host name, because
 * clients compare the two; the issuer stays BASE_URL.
 */
const resourceMetadata = (baseUrl: string, askedUrl: string, path: '' | '/mcp', scopes: readonly Scope[]) => ({
  resource: withLoopbackHostOf(baseUrl, askedUrl) + path,
  authorization_servers: [baseUrl],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
});

/**
 * Returns the paths of the server's metadata: by RFC 8414 and OpenID Connect Discovery, and with the path of the MCP
 * server. They are at the root of the host, so the `prefix` of the public address stands at their end.
 */
const serverMetadataPathsOf = (prefix: string): ReadonlySet<string> =>
  new Set(
    ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
      ...['', '/mcp', prefix, `${prefix}/mcp`].map((path) => `/.well-known/${name}${path}`),
      `/mcp/.well-known/${name}`,
    ]),
  );

/**
 * The metadata of the authorization server (RFC 8414), with the scopes of MCP, because its clients ask for all of them.
 * Id tokens are never issued; some clients require their fields.
 */
const serverMetadata = ({ baseUrl, mcpScopes, readsClientDocuments }: OauthEndpointOptions) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ['none'],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: mcpScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ...(readsClientDocuments && { client_id_metadata_document_supported: true }),
  protected_resources: [baseUrl, `${baseUrl}/mcp`],
  service_documentation: `${baseUrl}/docs`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['EdDSA'],
});

/** Adds to a challenge the URL of the resource metadata (RFC 9728, section 5.1), and a scope unless it names one. */
export function withAuthorizationServer(response: Response, { url }: Request, baseUrl: string): Response {
  const challenge = response.headers.get('www-authenticate');
  if (challenge === null) return response;
  const path = new URL(url).pathname;
  const metadata = `${withLoopbackHostOf(baseUrl, url)}${resourceMetadataPath}${path === '/mcp' || path === '/mcp/' ? '/mcp' : ''}`;
  const scope = challenge.includes('scope=') ? '' : ', scope="profile:read"';
  response.headers.set('www-authenticate', `${challenge}, resource_metadata="${metadata}"${scope}`);
  return response;
}
