import type { Generated } from 'kysely';
import type { Contact, ContactState } from '../../model/contact.ts';
import type { MailSchedule, Notice, ReportKind } from '../../model/notice.ts';
import type { DocumentVersion, Proposal } from '../../model/profile/document-state.ts';
import type { VisitorKey, VisitorText } from '../../model/visitor.ts';

/** The tables as the last migration leaves them. Instants are ISO 8601 texts in UTC, which sort chronologically. */
export interface Tables {
  contacts: Omit<Contact, 'subject' | 'receivedAt'> & {
    subject: VisitorText | null;
    received_at: string;
    canonical_email: VisitorKey;
    canonical_subject: VisitorKey | null;
    state: ContactState;
    /** As in `reads`; null if no token was sent with it. */
    jti: string | null;
  };
  /** The owner's replies to contact requests; the mail of each has the same id. */
  replies: { id: string; contact_id: string; text: string; written_at: string };
  issued_tokens: {
    jti: string;
    subject: VisitorText;
    issued_at: string;
    expires_at: string;
    canonical_subject: VisitorKey;
    /** The grant that it was issued for; null for a token from `POST /auth/token`. */
    grant_id: string | null;
    /** How the owner is notified of a token from the page, which the desk shows anyway; null for other tokens. */
    page_report: 'mailed' | 'counted' | null;
    /** The view of the profile that it reads, unless a grant sets the view; null for the whole profile. */
    view: string | null;
  };
  revocations: { sequence: number; kind: 'jti' | 'subject' | 'all'; value: string; revoked_at: string };
  /** The idempotency keys of contact requests; `subject` is the sender's, or the `jti` of `reads` for a link. */
  idempotency_keys: { subject: string; key: string; fingerprint: string; contact_id: string; created_at: string };
  /** The uses counted in the current window of a quota; the key is a keyed hash. */
  quota_windows: { key: string; used: number; ends_at: string };
  /** How often processes have loaded a change of a resource, by its URI and view, or of the lists of tools and resources. */
  profile_changes: { part: string; changes: number };
  /** Reads, a row each; `item` is an entry or `pdf`. `jti` is the token's, or its grant's id, which outlives its tokens. */
  reads: {
    id: Generated<number>;
    jti: string;
    subject: VisitorText;
    canonical_subject: VisitorKey;
    operation: string;
    item: string | null;
    surface: string;
    client: string | null;
    read_at: string;
  };
  /** The tokens or grants whose visitor erased the reads recorded until then. */
  erased_reads: { jti: string; subject: VisitorText; canonical_subject: VisitorKey; erased_at: string };
  /** The owner's note about a visitor. `seen_at`, when last seen, stays when all else about them is erased. */
  reader_notes: { canonical_subject: VisitorKey; note: string; noted_at: string; seen_at: string };
  /** The owner's one-time links to sign in, by a hash of their secret, each with the page of the desk that it opens. */
  sign_in_links: { hash: string; created_at: string; expires_at: string; path: string; used_at: string | null };
  desk_sessions: { hash: string; created_at: string; expires_at: string };
  /** Sessions at the page, by a keyed hash of the cookie; `unconfirmed_id` is a message to confirm, `draft` an unsent one. */
  page_sessions: {
    hash: string;
    jti: string;
    created_at: string;
    expires_at: string;
    is_remembered: number;
    is_token_shown: number;
    unconfirmed_id: string | null;
    draft: string | null;
  };
  /** When the owner was last at the desk, and before that, when the last backup was made, and the first profile served. */
  owner_events: { kind: 'desk_visit' | 'visit_before' | 'backup' | 'first_profile'; at: string };
  /** The past and current texts of the profile document; `bytes` is the length of each, and ids ascend. */
  profile_versions: Omit<DocumentVersion, 'id' | 'at'> & { id: Generated<number>; kept_at: string };
  /** The working copy of the profile, if it was changed since the last publish: its base, and JSON of its conflicts. */
  working_copy: {
    id: 'profile';
    revision: string;
    base_revision: string;
    conflicts: string;
    changed_at: string;
    base_text: string;
  };
  /**
   * The changes of the working copy: each has a JSON Patch, or the whole text that it makes. One that is `gone` was published or
   * dropped, and has neither: its id shows that it was received.
   */
  working_changes: {
    id: string;
    sequence: number;
    step: string;
    state: 'made' | 'undone' | 'gone';
    changed_at: string;
    patch: string | null;
    text: string | null;
  };
  /** Texts that are proposed as the owner's profile. */
  proposals: Omit<Proposal, 'baseRevision' | 'savedAt'> & { base_revision: string; saved_at: string };
  /** The owner's links to the profile, without their codes; columns as in `Link`, `may_write` is 0 or 1. */
  links: {
    id: string;
    name: string;
    view: string;
    until: string | null;
    may_write: number;
    made_at: string;
    opened_at: string | null;
    ended_at: string | null;
  };
  /** The process that sends mail, under the name `mail`, and until when no other process may replace it. */
  leases: { name: string; holder: string; ends_at: string };
  mail_schedules: { kind: ReportKind; schedule: MailSchedule };
  /** The clients that registered themselves; `metadata` is JSON, `used_at` is when a visitor last allowed it something. */
  oauth_clients: { id: string; metadata: string; registered_at: string; used_at: string | null };
  /** The grants of visitors to clients; `is_verified` and `is_for_mcp` are 0 or 1. */
  oauth_grants: {
    id: string;
    subject: VisitorText;
    canonical_subject: VisitorKey;
    is_verified: number;
    client_id: string;
    client_name: string;
    redirect_uri: string;
    scope: string;
    is_for_mcp: number;
    created_at: string;
    expires_at: string;
    view: string | null;
  };
  /** Requests, codes, refresh tokens, and the latest answer to one, sealed with it. The id is a hash; no secret is stored. */
  oauth_records: {
    id: string;
    grant_id: string | null;
    canonical_subject: VisitorKey | null;
    payload: string;
    expires_at: string;
    consumed_at: string | null;
  };
  /** The latest code sent for a request of a client, by a hash of the request's id; `tries` counts the guesses. */
  verification_codes: {
    request_id: string;
    canonical_subject: VisitorKey;
    code_hash: string;
    tries: number;
    expires_at: string;
  };
  outbox: {
    id: string;
    kind: Notice['kind'];
    subject: string;
    text: string;
    reply_to: string | null;
    /** The recipient's address; null if it is the owner. */
    recipient: string | null;
    /** `Notice.visitor`, and the name; null for a notice about nobody. */
    visitor: VisitorText | null;
    visitor_name: string | null;
    /** `Notice.thread`, separated by blanks; null if there is none. */
    thread: string | null;
    /** `Notice.about`. */
    about: string;
    line: string;
    /** The mail that contains it; null until it is first claimed. */
    mail_id: string | null;
    created_at: string;
    attempts: number;
    /** When `due_at` was set, or it was claimed after that. */
    scheduled_at: string;
    /** When it may be claimed; null once it was sent or given up. */
    due_at: string | null;
    sent_at: string | null;
    last_error: string | null;
  };
}
