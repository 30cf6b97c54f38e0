import { z } from 'zod';
import { scaledCount } from './quota.ts';
import type { Visitor } from './visitor.ts';

/** An e-mail to the owner, or from the owner to a visitor; `replyTo` is null for none, or several, visitors. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
  /** The display name of the sender; by default the program's. */
  readonly fromName?: string;
}

/** The kinds of notices about visitors: one sent a message, or asked for access. */
export const reportKinds = ['contact_request', 'auth_request'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const isReportKind = (kind: Notice['kind']): kind is ReportKind =>
  (reportKinds as readonly string[]).includes(kind);

/** The kinds of mails that hold a secret: a link to sign in, or a code that verifies an address. */
export const secretKinds = ['sign_in', 'verification_code'] as const;
export type SecretKind = (typeof secretKinds)[number];

export const isSecretKind = (kind: Notice['kind']): kind is SecretKind =>
  (secretKinds as readonly string[]).includes(kind);

/** A notice of one contact request or token, alone or in a digest; or a link to sign in, a code or a reply, always alone. */
export interface Notice extends Email {
  readonly kind: ReportKind | SecretKind | 'reply';
  /** The id of the contact request or grant, also for a reply or a code, the token's `jti`, or the hash of the link. */
  readonly about: string;
  /** The recipient's address; by default the owner's. */
  readonly recipient?: string;
  readonly visitor?: Visitor;
  readonly visitorName?: string;
  /** The ids of earlier mails of the conversation, which a reply refers to; the oldest first. */
  readonly thread?: readonly string[];
  /** The entry in a digest, without the message; the id has a line of its own, so that mail programs don't wrap it. */
  readonly line: string;
}

export interface QueuedNotice extends Notice {
  readonly queuedAt: Date;
}

/** Why a notice is unsent; `hour_used_up` is the budget of mails, `due` one that is only queued. */
export type WaitReason = 'being_sent' | 'retry' | 'hour_used_up' | 'daily_mail' | 'due';

/** An unsent notice; `dueAt` and `waitsFor` are null for a dead letter. */
export interface UnsentNotice {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly createdAt: Date;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastError: string | null;
  readonly waitsFor: WaitReason | null;
  /** Null for a dead letter, and if it is only queued. */
  readonly waitsUntil: Date | null;
}

/** Returns the maximum number of mails about visitors to the owner in an hour, scaled by the setting LIMITS. */
export const mailsPerHourOf = (multiplier: number): number => scaledCount(30, multiplier);

export interface MailBudget {
  readonly used: number;
  readonly perHour: number;
}

/** When the owner is notified of visitors: at once, or once a day; never off (answers, E-mail). */
export const MailSchedule = z.enum(['at_once', 'daily']);
export type MailSchedule = z.infer<typeof MailSchedule>;

export type MailSchedules = Readonly<Record<ReportKind, MailSchedule>>;

export const dailyHour = 8;

/** Returns when the latest daily e-mail was due, or the one `daysLater` days after it. */
export function dailyMailAt(now: Date, daysLater = 0): Date {
  const hasBeen = now.getHours() >= dailyHour;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (hasBeen ? 0 : 1) + daysLater, dailyHour);
}
