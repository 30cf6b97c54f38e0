import { type Context, Hono } from 'hono';
import { Failure } from '../../model/failure.ts';
import { type Scope, scopes } from '../../model/grant.ts';
import { toOauthError } from '../../model/oauth/oauth-error.ts';
import type { Services } from '../../operations/ports.ts';
import { bearerTokenOf, type Connection, readCaller } from '../caller.ts';
import { readBytes } from '../request-body.ts';
import { documentHandler, documentOf, documentResponse, type PublicHandler, publicHandler } from '../rest/documents.ts';
import { anyOrigin, challengeTo, failureResponse, preflightResponse } from '../rest/responses.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { resourceMetadata, resourceMetadataPath, serverMetadata, serverMetadataPaths } from './metadata.ts';

type Http = Hono<{ Bindings: Connection }>;

const form = { type: 'application/x-www-form-urlencoded', limitBytes: 16 * 1024 };
const json = { type: 'application/json', limitBytes: 16 * 1024 };

/** The error of RFC 6750, section 3.1. A client whose settings name this header sends it after a sign-in, too, in place of its new token. */
const endedToken = {
  error: 'invalid_token',
  error_description:
    'The token in the Authorization header has expired or was revoked. Put a new one in its place, or remove the header to sign in.',
};

interface Options {
  readonly baseUrl: string;
  readonly mcpScopes: readonly Scope[];
  /** Whether a client may have the address of its metadata document as its id. */
  readonly readsClientDocuments: boolean;
  readonly server: AuthorizationServer;
  readonly services: Pick<Services, 'tokens' | 'audit'>;
}

/** Routes the requests of clients to the authorization server: for its metadata, registration, tokens and their revocation. */
export function oauthEndpointsOf({ baseUrl, mcpScopes, readsClientDocuments, server, services }: Options): Http {
  const http: Http = new Hono({ strict: false });
  const serve = (path: string, respond: PublicHandler) => http.all(path, ({ req, env }) => respond(req.raw, env));
  const serveResource = (path: '' | '/mcp', scopes: readonly Scope[]) =>
    serve(
      resourceMetadataPath + path,
      publicHandler((request) => {
        const metadata = resourceMetadata({ baseUrl, askedUrl: request.url, path, scopes });
        return documentResponse(documentOf('application/json', JSON.stringify(metadata)), request);
      }),
    );
  serveResource('', scopes);
  serveResource('/mcp', mcpScopes);
  const metadata = documentHandler(() => serverMetadata(baseUrl, mcpScopes, readsClientDocuments));
  for (const path of serverMetadataPaths) serve(path, metadata);

  const onPost = (path: string, respond: (request: Request, connection: Connection) => Promise<Response>) =>
    http.all(path, async ({ req: { raw: request }, env }: Context<{ Bindings: Connection }>) => {
      if (request.method === 'OPTIONS') return preflightResponse('POST, OPTIONS');
      try {
        if (request.method !== 'POST') throw new Failure('METHOD_NOT_ALLOWED');
        return fromAnyOrigin(await respond(request, env));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const allow = error.code === 'METHOD_NOT_ALLOWED' ? 'POST, OPTIONS' : undefined;
        return toClient(error, failureResponse(error, request, allow));
      }
    });
  const readForm = async (request: Request) =>
    new URLSearchParams(new TextDecoder().decode(await readBytes(request, form)));
  onPost('/oauth/token', async (request, { address }) => server.token(await readForm(request), address));
  onPost('/oauth/revoke', async (request, { address }) => server.revoke(await readForm(request), address));
  onPost('/oauth/register', async (request, connection) => {
    const authorization = request.headers.get('authorization');
    const { token } = await readCaller(request, connection, services, 'mcp');
    if (token === null && bearerTokenOf(authorization) !== null)
      return Response.json(endedToken, { status: 401, headers: { 'www-authenticate': challengeTo(authorization) } });
    return server.register(parse(new TextDecoder().decode(await readBytes(request, json))), connection.address);
  });
  return http;
}

/** Lets pages of any origin read a response, because clients may run in a browser. */
function fromAnyOrigin(response: Response): Response {
  for (const [name, value] of Object.entries(anyOrigin)) response.headers.set(name, value);
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** Responds with a body of OAuth if the client may try again: it would take another one for a fault of the server, and ask the visitor. */
function toClient(failure: Failure, response: Response): Response {
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
