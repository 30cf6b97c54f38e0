import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { Failure, type FailureCode } from '../../model/failure.ts';
import { readScopes, scopes } from '../../model/grant.ts';
import { generatePrivateJwk } from '../tokens/private-jwks.ts';
import { accessSeconds } from '../tokens/tokens.ts';
import { clientDocumentsOf, UnreachableHost } from './client-document.ts';
import { MetadataFault } from './client-metadata.ts';
import type { AddClient, Options } from './options.ts';
import { recordIdOf, storageOf } from './storage.ts';

/** How long a visitor may take to allow a request. */
const requestSeconds = 30 * 60;
const longestClientId = 500;

/** Opens the provider: the code flow alone, for public clients with PKCE; access tokens are signed with our own keys. */
export async function openProvider(
  options: Options & { readonly addClient: AddClient },
  cookieSecrets: readonly string[],
): Promise<Provider> {
  const { baseUrl, ttlSeconds, readsClientDocuments, log } = options;
  const fetchClientDocument = clientDocumentsOf(options);
  const mcp = `${baseUrl}/mcp`;
  const accessTokenTTL = Math.min(ttlSeconds, accessSeconds);
  // Each request has cookies for its own path, so that two tabs don't share them; __Host- would need the path /.
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : '';
  const configuration: Configuration = {
    adapter: storageOf({ ...options, resourceOf: (isForMcp) => (isForMcp ? mcp : baseUrl) }),
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
      Interaction: requestSeconds,
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
          return { scope: scopes.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL };
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
  provider.use(async (context, next) => {
    await next();
    const { oidc } = context as unknown as KoaContextWithOIDC;
    if (oidc?.route === 'token' && context.status === 200)
      await sign(context as unknown as KoaContextWithOIDC, options);
  });
  return provider;
}

/**
 * Replaces the access token of a response by one that is signed and recorded as all others, if its grant has not ended, and the code
 * or refresh token was not used by another request meanwhile.
 */
async function sign(context: KoaContextWithOIDC, options: Options): Promise<void> {
  const { baseUrl, tokens, store, ttlSeconds, now, log } = options;
  const { AccessToken, AuthorizationCode, RotatedRefreshToken } = context.oidc.entities;
  const { accountId, clientId, grantId, scope = '', aud } = AccessToken!;
  const { kind, jti } = (RotatedRefreshToken ?? AuthorizationCode)!;
  try {
    const isVerified = (await store.findGrant(grantId!, now()))?.isVerified ?? false;
    const access = { clientId: clientId!, scopes: readScopes(scope), isForMcp: aud !== baseUrl, isVerified };
    const token = await tokens.prepare(accountId, access);
    const grantExpiresAt = new Date(now().getTime() + ttlSeconds * 1_000);
    const source = { grantId: grantId!, recordId: recordIdOf(kind, jti) };
    if (await store.addGrantedToken(token, source, grantExpiresAt, now())) {
      Object.assign(context.body as object, { access_token: await tokens.sign(token) });
      return;
    }
    context.status = 400;
    context.body = { error: 'invalid_grant', error_description: 'grant request is invalid' };
  } catch (error) {
    refuse(context, error, log);
  }
}

/** The error codes of RFC 6749, section 4.1.2.1; others are our own in lower case. */
const errorCodes: Partial<Record<FailureCode, string>> = {
  UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Responds with a failure; another error is logged, and nothing of it is shown. */
function refuse(context: KoaContextWithOIDC, error: unknown, log: Options['log']): void {
  if (!(error instanceof Failure)) log.error({ err: error }, 'authorization server failed');
  const failure = error instanceof Failure ? error : new Failure('INTERNAL_ERROR');
  const { status, code, message, retryAfterSeconds } = failure;
  context.status = status;
  context.body = { error: errorCodes[code] ?? code.toLowerCase(), error_description: message };
  if (retryAfterSeconds !== null) context.set('retry-after', String(retryAfterSeconds));
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
