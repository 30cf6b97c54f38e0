import { AsyncLocalStorage } from 'node:async_hooks';
import Provider, { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { Logger } from 'pino';
import { Failure } from '../../model/failure.ts';
import { toOauthError } from '../../model/oauth.ts';
import { type IssuedToken, readScopes, type Scope, scopes } from '../../model/token.ts';
import { readVisitor, visitorKeyOf } from '../../model/visitor.ts';
import { seal, unseal } from '../node-crypto.ts';
import type { Keys } from '../tokens/keys.ts';
import { generatePrivateJwk } from '../tokens/private-jwks.ts';
import { accessSeconds, type OpenTokens } from '../tokens/tokens.ts';
import { clientDocumentsOf, type Network, UnreachableHost } from './client-document.ts';
import { MetadataFault } from './client-metadata.ts';
import { type OauthStore, recordIdOf, storageOf, type TokenRequest } from './storage.ts';

export interface AuthorizationOptions {
  /** The issuer, and one of the two resources that tokens are issued for, with all scopes. */
  readonly baseUrl: string;
  readonly mcpScopes: readonly Scope[];
  readonly ttlSeconds: number;
  readonly keys: Pick<Keys, 'verifying' | 'secretsFor'>;
  readonly tokens: Pick<OpenTokens, 'prepare' | 'sign' | 'verify' | 'refresh'> & {
    /** Revokes one token, which can be renewed. */
    revoke(token: IssuedToken): Promise<void>;
  };
  readonly store: OauthStore;
  /** Whether a client may have the address of its metadata document as its id. */
  readonly readsClientDocuments: boolean;
  readonly network: Network;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Charges the fetch of a client's document to a network address. Returns `RATE_LIMITED` or null. */
  limitFetch(from: string | null): Failure | null;
}

/** Stores a client that registers itself, with its metadata as JSON. */
export type AddClient = (id: string, metadata: string) => Promise<void>;

const requestSeconds = 30 * 60;
const longestClientId = 500;

const off = { enabled: false };

/** Opens the provider: only the code flow, for public clients with PKCE; our own keys sign access tokens. */
export async function openProvider(
  options: AuthorizationOptions & { readonly addClient: AddClient },
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
    // `toClientMetadata` sets the others.
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
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
      ...{ devInteractions: off, userinfo: off, rpInitiatedLogout: off, pushedAuthorizationRequests: off, dPoP: off },
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
  // A client to which `invalid_client` is sent would forget its tokens.
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

/** Returns how long a new request may take, in seconds. Throws on a return: many at once would each begin a request. */
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
    // Stored with the request, so that its pages and its answer do not need the document of the client.
    ({ oidc: { client, params } }) => ({ client: { ...client!.metadata(), redirect_uris: [params!.redirect_uri] } }),
  );
  policy.get('login')!.checks.add(asked);
  return policy;
}

/** How long a refresh token gets the same answer again: for parallel calls, and an answer that was lost. */
const repeatSeconds = 30;

/** The response to a code or a refresh token (RFC 6749, section 5.1), and when its access token expires. */
interface Answer {
  readonly body: object;
  readonly expiresAt: string;
}

/** Replaces the access token by ours. A refresh token used again within 30 s gets the same answer, otherwise the grant ends. */
async function issueTokens(
  context: KoaContextWithOIDC,
  request: TokenRequest,
  options: AuthorizationOptions,
): Promise<void> {
  const { baseUrl, tokens, store, ttlSeconds, now, log } = options;
  const { AccessToken, AuthorizationCode, RotatedRefreshToken } = context.oidc.entities;
  const { accountId, clientId, grantId, scope = '', aud } = AccessToken!;
  const { kind, jti: secret } = (RotatedRefreshToken ?? AuthorizationCode)!;
  // A grant has one latest refresh token, and so one answer: the next one replaces it.
  const answerId = recordIdOf('Answer', grantId!);
  try {
    const isVerified = (await store.grants.find(grantId!, now()))?.isVerified ?? false;
    const access = { clientId: clientId!, scopes: readScopes(scope), isForMcp: aud !== baseUrl, isVerified };
    const token = await tokens.prepare(readVisitor(accountId), access, grantId!);
    const given = context.body as { readonly expires_in: number };
    // The token of a link may end before the hour that the provider states.
    const expires_in = Math.min(given.expires_in, secondsUntil(token.expiresAt, now()));
    const body = { ...given, expires_in, access_token: await tokens.sign(token) };
    const records = request.refreshToken === undefined ? [] : [request.refreshToken];
    if (kind === 'RefreshToken') {
      const answer: Answer = { body, expiresAt: token.expiresAt.toISOString() };
      records.push({
        id: answerId,
        grantId: grantId!,
        canonicalSubject: visitorKeyOf(token.subject),
        // The key is the refresh token, which is stored only as a hash: the database gives nobody a token.
        payload: JSON.stringify({ sealed: seal(JSON.stringify(answer), secret) }),
        expiresAt: new Date(now().getTime() + repeatSeconds * 1_000),
      });
    }
    const grantExpiresAt = new Date(now().getTime() + ttlSeconds * 1_000);
    const source = { grantId: grantId!, recordId: recordIdOf(kind, secret), records };
    const outcome = await store.grants.addToken(token, source, grantExpiresAt, now());
    const repeated = outcome === 'used before' ? await repeat(answerId, secret, options) : null;
    if (outcome === 'added' || repeated !== null) {
      context.body = repeated ?? body;
      return;
    }
    if (outcome === 'used before') await store.grants.end(grantId!, now());
    context.status = 400;
    context.body = { error: 'invalid_grant', error_description: 'grant request is invalid' };
  } catch (error) {
    refuse(context, error, log);
  }
}

/** Returns the stored answer to a refresh token; null if it has expired or was replaced, and for a code. */
async function repeat(answerId: string, secret: string, { store, now }: AuthorizationOptions): Promise<object | null> {
  const record = await store.records.find(answerId, now());
  const text = record && unseal((JSON.parse(record.payload) as { sealed: string }).sealed, secret);
  if (text === null) return null;
  const { body, expiresAt } = JSON.parse(text) as Answer;
  return { ...body, expires_in: secondsUntil(new Date(expiresAt), now()) };
}

const secondsUntil = (instant: Date, now: Date): number =>
  Math.max(Math.ceil((instant.getTime() - now.getTime()) / 1_000), 0);

/** Responds with a failure; another error is logged, and nothing of it is shown. */
function refuse(context: KoaContextWithOIDC, error: unknown, log: AuthorizationOptions['log']): void {
  if (!(error instanceof Failure)) log.error({ err: error }, 'authorization server failed');
  const failure = error instanceof Failure ? error : new Failure('INTERNAL_ERROR');
  const { status, retryAfterSeconds } = failure;
  context.status = status;
  context.body = toOauthError(failure);
  if (retryAfterSeconds !== null) context.set('retry-after', String(retryAfterSeconds));
}
