import { newCode } from '../adapters/node-crypto.ts';
import { internet, type Network } from '../adapters/oauth/client-document.ts';
import type { Options } from '../adapters/oauth/provider.ts';
import { endingWith } from '../model/link.ts';
import { grantsOf, verificationCodesOf } from '../operations/oauth.ts';
import { clientCharges, fetchCharges, limitAuthorization } from '../operations/quotas.ts';
import type { AuthorizationServer } from '../surfaces/oauth-endpoints.ts';
import type { OauthPorts } from '../surfaces/web/oauth/consent.ts';
import { publicProfileOf } from '../surfaces/web/public/public-profile.ts';
import type { Config } from './config/config.ts';
import type { Log } from './log.ts';
import type { OpenServices } from './services.ts';

type Dependencies = Pick<OpenServices, 'services' | 'store' | 'keys' | 'tokens' | 'hashVisitor'>;

type Settings = Pick<Config, 'tokenTtlSeconds' | 'verifiesEmail' | 'readsClientDocuments'>;

/** Returns the authorization server, whose library is loaded at the first request; `mcpScopes` are those of `/mcp`. */
export function authorizationOf(
  { services, store, keys, tokens, hashVisitor }: Dependencies,
  { tokenTtlSeconds: ttlSeconds, verifiesEmail, readsClientDocuments }: Settings,
  options: Pick<Options, 'baseUrl' | 'mcpScopes'> & { readonly network: Network | undefined; readonly log: Log },
): OauthPorts {
  const { baseUrl, mcpScopes, network = internet, log } = options;
  const { now, limits, audit } = services;
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
  } satisfies Options['store'];
  const serverOptions: Options = {
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
    chargeFetch(from) {
      // Up to the first that is used up: what is refused to a network is not charged to all.
      for (const charge of fetchCharges(from)) {
        const waitSeconds = limits.take(charge);
        if (waitSeconds > 0) return waitSeconds;
      }
      return 0;
    },
  };
  let opening: ReturnType<typeof open> | undefined;
  async function open() {
    const { openAuthorizationServer } = await import('../adapters/oauth/authorization-server.ts');
    return openAuthorizationServer(serverOptions);
  }
  const opened = () => (opening ??= open());
  const server: AuthorizationServer = {
    authorize: async (...given) => (await opened()).authorize(...given),
    pending: async (...given) => (await opened()).pending(...given),
    keepVisitor: async (...given) => (await opened()).keepVisitor(...given),
    finish: async (...given) => (await opened()).finish(...given),
    grantExpiry: () => new Date(now().getTime() + ttlSeconds * 1_000),
    async token(fields, from) {
      const refusal = limitAuthorization('/oauth/token', from, services);
      if (refusal !== null) throw refusal;
      return (await opened()).token(fields, from);
    },
    async revoke(fields, from) {
      const refusal = limitAuthorization('/oauth/revoke', from, services);
      if (refusal !== null) throw refusal;
      return (await opened()).revoke(fields);
    },
    async register(metadata, from) {
      const charges = limits.toStored(clientCharges(from));
      const at = now();
      await store.quotas.check(charges, at);
      return (await opened()).register(metadata, async (id, text) => {
        await store.oauth.clients.add(id, text, charges, at);
        audit({ event: 'client_registered', from, detail: id });
      });
    },
  };
  const candidateName = () => publicProfileOf(services.edition(null).profile).name;
  const codes = verificationCodesOf({ store, limits, newCode, hash: hashVisitor, candidateName, now, audit });
  return { server, grants: grantsOf({ services, grants: auditedStore.grants }), codes: verifiesEmail ? codes : null };
}
