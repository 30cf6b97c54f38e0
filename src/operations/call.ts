import type { Failure } from '../model/failure.ts';
import type { QuotaCharge } from '../model/quota.ts';
import type { IssuedToken } from '../model/token.ts';

/** The caller of an operation. `token` is set for a visitor; `address` and `requestId` are null without HTTP. */
export interface Caller {
  readonly kind: 'visitor' | 'owner' | 'anonymous';
  readonly token: IssuedToken | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** The client program as it calls itself, at most 200 code points; null if it doesn't. */
  readonly client: string | null;
}

export const owner: Caller = { kind: 'owner', token: null, address: null, requestId: null, client: null };

/** One call of an operation; `input` is called once the caller is admitted. For a mutation it may be asynchronous. */
export interface Call {
  readonly surface: string;
  readonly caller: Caller;
  readonly input: () => unknown;
  /** As the caller gave it, unchecked; null or absent if none was given. */
  readonly idempotencyKey?: string | null;
  /** Set if the surface has charged the read quota already: the failure if it was used up, otherwise null. */
  readonly quotaFailure?: Failure | null;
  /** False if nobody sees the answer, such as a page that is fetched in advance. */
  readonly isRecorded?: boolean;
}

/** The parts of a call that a mutation's handler gets; the key is well-formed, null if none was given. */
export interface CallContext {
  readonly caller: Caller;
  readonly surface: string;
  readonly idempotencyKey: string | null;
  /** Whether a request was stored with the key already; then the call has been charged as a read. */
  readonly isRepeat: boolean;
  /** Counted in the transaction that stores the call's data. */
  readonly charges: readonly QuotaCharge[];
}
