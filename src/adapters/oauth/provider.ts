import { AsyncLocalStorage } from 'node:async_hooks';
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { Failure } from '../../model/failure.ts';
import { scopes } from '../../model/grant.ts';
import { generatePrivateJwk } from '../tokens/private-jwks.ts';
import { accessSeconds } from '../tokens/tokens.ts';
import { clientDocumentsOf, UnreachableHost } from './client-document.ts';
import { MetadataFault } from './client-metadata.ts';
import { issueTokens, refuse } from './issue-tokens.ts';
import type { AddClient, Options } from './options.ts';
import { storageOf, type TokenRequest } from './storage.ts';

/** How long a visitor may take to allow a request. */
const requestSeconds = 30 * 60;
const longestClientId = 500;

/** Opens the provider: the code flow alone, for public clients with PKCE; access tokens are signed with our own keys. */
export async function openProvider(
  options: Options & { readonly addClient: AddClient },
  cookieSecrets: readonly string[],
): Promise<Provider> {
  const { baseUrl, mcpScopes, ttlSeconds, readsClientDocuments, log } = options;
  const fetchClientDocument = clientDocumentsOf(options);
  const mcp = `${baseUrl}/mcp`;
  // The provider does not tell the storage which request it stores for.
  const tokenRequests = new AsyncLocalStorage<TokenRequest>();
  const accessTokenTTL = Math.min(ttlSeconds, accessSeconds);
  // Each request has cookies for its own path, so that two tabs don't share them; __Host- would need the path /.
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : '';
  const configuration: Configuration = {
    adapter: storageOf({
      ...options,
      resourceOf: (isForMcp) => (isForMcp ? mcp : baseUrl),
      tokenRequest: () => tokenRequests.getStore()!,
    }),
    // The provider requires a key for id tokens, which are never issued.
    jwks: { keys: [{ ...(await generatePrivateJwk()), use: 'sig', alg: 'EdDSA' }] },
    cookies: {
      keys: cookieSecrets,
      names: {
        interaction: `${prefix}oauth_request`,
        resume: `${prefix}oauth_resume`,
        session: `${prefix}oauth_session`,
      },
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      jwks: '/oauth/jwks',
    },
    interactions: {
      url: (_context, { uid }) => `${new URL(baseUrl).pathname.replace(/\/$/, '')}/oauth/consent/${uid}`,
      policy: askEachTime(),
    },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientBasedCORS: () => false,
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    renderError: (context, { error, error_description }, { cause }) => {
      context.type = 'json';
      const description = cause instanceof MetadataFault ? cause.message : error_description;
      context.body = { error, error_description: description, is_unreachable: cause instanceof UnreachableHost };
      if (cause instanceof Failure) refuse(context, cause, log);
    },
    ttl: {
      AccessToken: accessTokenTTL,
      AuthorizationCode: 60,
      Grant: ttlSeconds,
      IdToken: 60,
      Interaction: secondsOfNew,
      RefreshToken: ttlSeconds,
      Session: requestSeconds,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: readsClientDocuments,
        ack: 'draft-02',
        allowFetch: async (_context, id) => id.length <= longestClientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => baseUrl,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_context, resource) => {
          if (resource !== baseUrl && resource !== mcp) throw new errors.InvalidTarget();
          const scope = (resource === mcp ? mcpScopes : scopes).join(' ');
          return { scope, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL };
        },
      },
    },
    // Only documents of clients are fetched.
    fetch: (url) => fetchClientDocument(String(url), Provider.ctx?.ip || null),
  };
  const provider = new Provider(baseUrl, configuration);
  provider.proxy = false;
  // The visitor is asked for the address each time, so the session is not kept for the next request.
  provider.on('authorization.success', (context) => {
    Object.assign(context.oidc.session!, { destroyed: true });
  });
  provider.on('server_error', (context, error) => {
    refuse(context, error, log);
  });
  // A client that is told that it is unknown would forget its tokens.
  provider.on('grant.error', (context, { cause }) => {
    const unreachable = new Failure('UNAVAILABLE', 'The document of the client could not be fetched.');
    if (cause instanceof Failure) refuse(context, cause, log);
    else if (cause instanceof UnreachableHost) refuse(context, unreachable, log);
  });
  provider.use(async (given, next) => {
    const context = given as unknown as KoaContextWithOIDC;
    const request: TokenRequest = {
      get clientId() {
        return context.oidc.client!.clientId;
      },
    };
    await tokenRequests.run(request, next);
    if (context.oidc?.route === 'token' && context.status === 200) await issueTokens(context, request, options);
  });
  return provider;
}

/** Returns how long a new request may take. A return from one begins no other: many at once would each begin one. */
function secondsOfNew({ oidc }: KoaContextWithOIDC): number {
  if (oidc.route === 'resume') throw new errors.AccessDenied(undefined, 'the visitor has not allowed it');
  return requestSeconds;
}

/** Returns the policy that asks the visitor for the address and for consent at each request. */
function askEachTime() {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  const asked = new Check(
    'always',
    'the visitor is asked each time',
    'login_required',
    ({ oidc }) => (oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT),
    // Stored with the request, so that no page of it and no answer to it needs the document of the client.
    ({ oidc: { client, params } }) => ({ client: { ...client!.metadata(), redirect_uris: [params!.redirect_uri] } }),
  );
  policy.get('login')!.checks.add(asked);
  return policy;
}
