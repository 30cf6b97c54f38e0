/** An e-mail to the owner; `replyTo` is the sender's address, null if it has none or several. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
}

/** What the owner is told of what visitors do: that they asked for access, or sent a message. */
export type ReportKind = 'auth_request' | 'contact_request';

/** The kinds of mails that hold a secret: a link to sign in, or a code that verifies an address. */
export const secretKinds = ['sign_in', 'verification_code'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Whether a mail of the kind holds a secret. */
export const isSecretKind = (kind: Notice['kind']): kind is SecretKind =>
  (secretKinds as readonly string[]).includes(kind);

/**
 * What the owner is told of one contact request or issued token, in an e-mail of its own or in a digest; or a link to sign in, or
 * a visitor's code, which are always e-mails of their own.
 */
export interface Notice extends Email {
  readonly kind: ReportKind | SecretKind;
  /** The id of the contact request or of the grant, the `jti` of the token, the hash of the link, or the grant that the code is asked for. */
  readonly about: string;
  /** The recipient's address; the owner's unless given. */
  readonly recipient?: string;
  /** The entry in a digest, without the message; the id is on a line of its own, so that mail programs don't wrap it. */
  readonly line: string;
  /** The hash of a contact request's message, its white space and case ignored; null for other notices. */
  readonly messageHash: string | null;
}

/**
 * Why a notice has not been sent: a process is sending it, its last attempt failed, the same message was sent within the hour,
 * the hourly budget is used up, or it only waits for its turn.
 */
export type WaitReason = 'being_sent' | 'retry' | 'same_words' | 'hour_used_up' | 'due';

/** A notice that has not been sent; `dueAt` and `waitsFor` are null for a dead letter. */
export interface UnsentNotice {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly createdAt: Date;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastError: string | null;
  readonly waitsFor: WaitReason | null;
  /** Null for a dead letter, and if it only waits for its turn. */
  readonly waitsUntil: Date | null;
}

/** How many mails about one kind of notice were sent within the last hour, of how many allowed; infinite without a limit. */
export interface MailBudget {
  readonly kind: ReportKind;
  readonly sent: number;
  readonly perHour: number;
}
