import Provider, {
  type AdapterPayload,
  type ClientMetadata,
  errors,
  type PromptDetail,
  type Adapter as ProviderAdapter,
} from 'oidc-provider';
import { hasDocument } from '../../model/oauth.ts';
import { readVisitor, toVisitorText, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import { hash } from '../node-crypto.ts';
import type { OauthRecord } from '../store/oauth.ts';
import type { DurableStore } from '../store/store.ts';

export type OauthStore = Omit<DurableStore['oauth'], 'codes'>;

interface StorageOptions {
  readonly store: OauthStore;
  readonly now: () => Date;
  addClient(id: string, metadata: string): Promise<void>;
  /** Returns the resource indicator that a grant was made for (RFC 8707). */
  resourceOf(isForMcp: boolean): string;
  tokenRequest(): TokenRequest;
}

export interface TokenRequest {
  readonly clientId: string;
  /** The refresh token that it gets; it is stored with the access token (`grants.addToken`). */
  refreshToken?: OauthRecord;
}

type Storage = (model: string) => ProviderAdapter;

/** Returns the provider's storage adapter; `grants.addToken` records access tokens instead. */
export function storageOf(options: StorageOptions): Storage {
  return (model) => {
    if (model === 'Client') return clientsOf(options);
    if (model === 'Grant') return grantsOf(options);
    return kept.has(model) ? recordsOf(model, options) : unused;
  };
}

/** The models stored as records. A code or refresh token is its own id and secret, so only a hash of it is stored. */
const kept = new Set(['AuthorizationCode', 'RefreshToken', 'Interaction']);

const unused: ProviderAdapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

const clientsOf = ({ store, addClient }: StorageOptions): ProviderAdapter => ({
  ...unused,
  upsert: (id, payload) => addClient(id, JSON.stringify(payload)),
  async find(id) {
    const metadata = await store.clients.find(id);
    if (metadata !== undefined) return JSON.parse(metadata);
    // The answer to a request of a client that has a document, which was checked when the request began.
    const request = Provider.ctx?.oidc?.entities.Interaction;
    return request?.params.client_id === id && hasDocument(id) ? requestingClientOf(request) : undefined;
  },
});

/** Returns the metadata of the client that a request is of, as they were when it began. */
export const requestingClientOf = ({ prompt }: { prompt: PromptDetail }): ClientMetadata | undefined =>
  prompt.details.client as ClientMetadata | undefined;

const grantsOf = ({ store, now, resourceOf }: StorageOptions): ProviderAdapter => ({
  ...unused,
  async find(id) {
    const grant = await store.grants.find(id, now());
    if (grant === null) return undefined;
    return {
      kind: 'Grant',
      jti: id,
      iat: toSeconds(grant.createdAt),
      exp: toProviderSeconds(grant.expiresAt, now()),
      accountId: toVisitorText(grant.subject),
      clientId: grant.clientId,
      resources: { [resourceOf(grant.isForMcp)]: grant.scopes.join(' ') },
    };
  },
  destroy: (id) => store.grants.end(id, now()),
});

export const recordIdOf = (model: string, secret: string): string => hash(`${model} ${secret}`);

function recordsOf(model: string, { store, now, tokenRequest }: StorageOptions): ProviderAdapter {
  return {
    ...unused,
    async upsert(secret, { jti: _, ...payload }, seconds = 0) {
      const record = {
        id: recordIdOf(model, secret),
        grantId: payload.grantId ?? null,
        canonicalSubject: subjectOf(payload),
        payload: JSON.stringify(payload),
        expiresAt: new Date(now().getTime() + seconds * 1_000),
      };
      if (model === 'RefreshToken') tokenRequest().refreshToken = record;
      else if (!(await store.records.put(record, now()))) throw new errors.InvalidGrant('grant not found');
    },

    async find(secret) {
      const record = await store.records.find(recordIdOf(model, secret), now());
      if (record === null) return undefined;
      const payload = JSON.parse(record.payload) as AdapterPayload;
      // A second use by the same client may come at the same time: the issuer of tokens answers it or ends the grant.
      if (record.consumedAt !== null && (model !== 'RefreshToken' || payload.clientId !== tokenRequest().clientId)) {
        await store.grants.end(payload.grantId!, now());
        return undefined;
      }
      return { ...payload, jti: secret, exp: toProviderSeconds(record.expiresAt, now()) };
    },

    // `consume` does nothing: `grants.addToken` uses up a code or refresh token with the tokens that it gets.
    destroy: (secret) => store.records.remove(recordIdOf(model, secret)),
  };
}

function subjectOf({ accountId, result }: AdapterPayload): VisitorKey | null {
  const text = accountId ?? (result as { address?: string } | undefined)?.address;
  return text === undefined ? null : visitorKeyOf(readVisitor(text));
}

/** Converts an expiry from `now`, the clock that replicas share, to this machine's, which the provider reads. */
const toProviderSeconds = (expiresAt: Date, now: Date): number =>
  toSeconds(new Date(Date.now() + expiresAt.getTime() - now.getTime()));

const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1_000);
