import type { Visitor } from './visitor.ts';

/** A logged call: no token, address or body. `cause` is set for unexpected failures and failures of the store. */
export interface CallRecord {
  readonly operation: string;
  readonly surface: string;
  /** The caller: the token's `jti`, `owner` or `anonymous`. */
  readonly caller: string;
  readonly code: string;
  readonly milliseconds: number;
  readonly request?: string;
  readonly cause?: unknown;
}

/** An entry of the audit log; subject and network address are stored as keyed hashes only. */
export interface AuditEntry {
  readonly event:
    | 'token_issued'
    | 'token_refused'
    | 'token_revoked'
    | 'access_granted'
    | 'access_refused'
    | 'grant_ended'
    | 'view_changed'
    | 'client_registered'
    | 'code_sent'
    | 'code_refused'
    | 'address_verified'
    | 'key_rotated'
    | 'visitor_erased'
    | 'contact_erased'
    | 'contact_replied'
    | 'contacts_exported'
    | 'readers_exported'
    | 'limit_hit'
    | 'profile_reloaded'
    | 'profile_published'
    | 'profile_restored'
    | 'history_erased'
    | 'link_made'
    | 'link_renamed'
    | 'link_ended'
    | 'dead_letter'
    | 'desk_link_requested'
    | 'desk_signed_in'
    | 'desk_sign_in_refused'
    | 'desk_signed_out';
  readonly subject?: Visitor;
  readonly from?: string | null;
  readonly jti?: string;
  readonly operation?: string;
  readonly detail?: string;
}
