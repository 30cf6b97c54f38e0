import type { Hono } from 'hono';
import { newCode } from '../adapters/node-crypto.ts';
import { internet, type Network } from '../adapters/oauth/client-document.ts';
import type { AuthorizationOptions } from '../adapters/oauth/provider.ts';
import { endingWith } from '../model/link.ts';
import { type Scope, scopes } from '../model/token.ts';
import { grantsOf, verificationCodesOf } from '../operations/oauth.ts';
import { actionCharges, limitAction } from '../operations/quotas.ts';
import { type AuthorizationServer, oauthEndpointsOf } from '../surfaces/oauth-endpoints.ts';
import type { Connection } from '../surfaces/request.ts';
import { addOauthTo } from '../surfaces/web/oauth/consent.ts';
import { publicProfileOf } from '../surfaces/web/public/public-profile.ts';
import type { EntryPorts } from '../surfaces/web/visitor/visitor-sessions.ts';
import type { OpenServices } from './services.ts';

/** Opens the authorization server; its library is loaded at the first request. */
export function openOauth(opened: OpenServices, network: Network = internet) {
  const { config, baseUrl, log, services, store, keys, tokens, hashVisitor } = opened;
  const { tokenTtlSeconds: ttlSeconds, readsClientDocuments, mcpMutations } = config;
  const { now, limits, audit } = services;
  const mcpScopes: readonly Scope[] = mcpMutations ? scopes : ['profile:read'];
  const auditedStore = {
    ...store.oauth,
    grants: {
      ...store.oauth.grants,
      async addToken(token, origin, ...lasting) {
        const outcome = await store.oauth.grants.addToken(token, origin, ...lasting);
        if (outcome === 'added')
          audit({ event: 'token_issued', jti: token.jti, subject: token.subject, detail: origin.grantId });
        return outcome;
      },
      // Audited as ended by a client, by a later consent, or by a second use of a code or refresh token.
      async end(id, at) {
        await store.oauth.grants.end(id, at);
        audit({ event: 'grant_ended', detail: id });
      },
    },
  } satisfies AuthorizationOptions['store'];
  const serverOptions: AuthorizationOptions = {
    baseUrl,
    mcpScopes,
    ttlSeconds,
    keys,
    tokens: {
      ...tokens,
      async prepare(subject, ...opens) {
        const token = await tokens.prepare(subject, ...opens);
        const link = subject.kind === 'link' ? await store.links.find(subject.id) : null;
        return link === null ? token : endingWith(link, token);
      },
      async revoke({ jti }) {
        await tokens.revoke({ kind: 'jti', jti }, { keepsGrant: true });
        audit({ event: 'token_revoked', detail: 'jti', jti });
      },
    },
    store: auditedStore,
    readsClientDocuments,
    network,
    now,
    log,
    limitFetch: (from) => limitAction('oauth_client_document', from, services),
  };
  async function open(): Promise<AuthorizationServer> {
    const { openAuthorizationServer } = await import('../adapters/oauth/authorization-server.ts');
    const loaded = openAuthorizationServer(serverOptions);
    return {
      ...loaded,
      grantExpiry: () => new Date(now().getTime() + ttlSeconds * 1_000),
      async register(metadata, from) {
        const charges = limits.toStored(actionCharges('oauth_register', { from }));
        const at = now();
        await store.quotas.check(charges, at);
        return loaded.register(metadata, async (id, text) => {
          await store.oauth.clients.add(id, text, charges, at);
          audit({ event: 'client_registered', from, detail: id });
        });
      },
    };
  }
  let opening: Promise<AuthorizationServer> | undefined;
  const server = () => (opening ??= open());
  const candidateName = () => publicProfileOf(services.edition(null).profile).name;
  const ports = {
    server,
    grants: grantsOf({ services, grants: auditedStore.grants }),
    codes: config.verifiesEmail
      ? verificationCodesOf({ store, limits, newCode, hash: hashVisitor, candidateName, now, audit })
      : null,
  };
  return {
    addTo(http: Hono<{ Bindings: Connection }>, entry: EntryPorts): void {
      http.route('/', oauthEndpointsOf({ server, baseUrl, mcpScopes, readsClientDocuments, services }));
      addOauthTo(http, ports, entry);
    },
  };
}
