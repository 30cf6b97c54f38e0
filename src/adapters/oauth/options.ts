import type { Logger } from 'pino';
import type { Access, IssuedToken } from '../../model/grant.ts';
import type { Keys } from '../tokens/keys.ts';
import type { Network } from './client-document.ts';
import type { Resources } from './requests.ts';
import type { OauthStore } from './storage.ts';

/** What the authorization server needs. */
export interface Options extends Resources {
  /** How long what a visitor allowed lasts without being used. */
  readonly ttlSeconds: number;
  readonly keys: Pick<Keys, 'verifying' | 'secretsFor'>;
  readonly tokens: {
    prepare(subject: string, access: Access): Promise<IssuedToken>;
    sign(token: IssuedToken): Promise<string>;
    verify(text: string, at: 'mcp'): Promise<IssuedToken | null>;
    /** Revokes one token, which can be renewed. */
    revoke(token: IssuedToken): Promise<void>;
    /** Reads what was revoked, so that it ends in this process at once. */
    refresh(): Promise<void>;
  };
  readonly store: OauthStore;
  /** Whether a client may have the address of its metadata document as its id. */
  readonly readsClientDocuments: boolean;
  readonly network: Network;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Charges the fetch of a client's document to a network address, null if that is unknown. Returns the seconds to wait, 0 if it may begin. */
  chargeFetch(from: string | null): number;
}

/** Stores a client that registers itself, with its metadata as JSON. */
export type AddClient = (id: string, metadata: string) => Promise<void>;
