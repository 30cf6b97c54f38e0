import { longestAddress, toEmailAddress } from 'resume-profile/email-address';
import { countCodePoints } from 'resume-profile/text';
import { z } from 'zod';
import type { Visitor, VisitorKey } from './visitor.ts';

type Refuse = (message: string) => never;

// Lone surrogates (Cs) are not valid Unicode; REST refuses the whole body for them (RFC 8259, section 8.2).
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const controlButNewlineOrTab = /(?!\r?\n|\t)[\p{Cc}\p{Cs}]/u;
const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));

/** A required field, at most `limit` characters long; `refuse` adds an issue whose message follows the field's name. */
const field = (
  description: string,
  limit: number,
  example: string,
  read: (value: unknown, refuse: Refuse) => string,
  format?: 'email',
) =>
  z
    .unknown()
    .transform((value, context) => {
      const refuse = (message: string): never => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      return isBlank(value) ? refuse('is required') : read(value, refuse);
    })
    .meta({
      ...{ type: 'string', ...(format && { format }), description },
      ...{ minLength: 1, maxLength: limit, examples: [example] },
    }) as unknown as z.ZodType<string, string>;

/** Reads a text of at most `limit` characters, which are code points. */
const bounded =
  (limit: number, read: (text: string, refuse: Refuse) => string) =>
  (value: unknown, refuse: Refuse): string => {
    if (typeof value !== 'string') return refuse('must be a string');
    // Length first, so that no regular expression runs on an unbounded text.
    if (value.length > limit && countCodePoints(value) > limit) return refuse(`must be at most ${limit} characters`);
    return read(value, refuse);
  };

const textField = (description: string, limit: number, example: string, controls = control) =>
  field(
    description,
    limit,
    example,
    bounded(limit, (text, refuse) => (controls.test(text) ? refuse('must not contain control characters') : text)),
  );

const notAnAddress = 'must be a valid email address';

export const contactLimits = { name: 200, email: longestAddress, company: 200, message: 10_000 };

const toAddress = (text: string, refuse: Refuse) => toEmailAddress(text) ?? refuse(notAnAddress);
const exampleAddress = 'ada@example.com';

/** The input of a contact request; an error names the first wrong field (specification, Contact request). */
export const ContactRequest = z
  .object({
    name: textField('Name of the person the message is from', contactLimits.name, 'Ada Lovelace'),
    email: field(
      'Their e-mail address, to which the candidate may answer',
      longestAddress,
      exampleAddress,
      bounded(longestAddress, toAddress),
      'email',
    ),
    company: textField('Their company or organization', contactLimits.company, 'Analytical Engines'),
    message: textField(
      'The message, plain text',
      contactLimits.message,
      'We are hiring. Shall we talk next week?',
      controlButNewlineOrTab,
    ),
  })
  .meta({ id: 'ContactRequest' });
export type ContactRequest = z.infer<typeof ContactRequest>;

/** The input of a token request (specification, Token request). */
export const TokenRequest = z
  .object({
    email: field(
      'E-mail address of the person who asks, one plain address',
      longestAddress,
      exampleAddress,
      (value, refuse) => (typeof value === 'string' ? toAddress(value, refuse) : refuse(notAnAddress)),
      'email',
    ),
  })
  .meta({ id: 'TokenRequest' });
export type TokenRequest = z.infer<typeof TokenRequest>;

export const ContactState = z.enum(['unread', 'read', 'replied', 'archived', 'spam']);
export type ContactState = z.infer<typeof ContactState>;

/** The contact requests in some states that contain the text in a field, ignoring case; all contain an empty text. */
export interface InboxView {
  readonly states: readonly ContactState[];
  readonly search: string;
  /** Visitors whose messages match even without the text. */
  readonly links?: readonly VisitorKey[];
}

/** Returns the beginning of a text on one line, cut after `length` characters; an ellipsis replaces the rest. */
export function excerptOf(text: string, length: number): string {
  const line = text.trim().replace(/[ \t\r\n]+/g, ' ');
  const shown = [...line.slice(0, 2 * length)].slice(0, length).join(''); // whole characters
  return shown === line ? shown : `${shown.trimEnd()}…`;
}

/** A contact request as stored: what the visitor sent, with which token, and when. */
export interface Contact extends ContactRequest {
  readonly id: string;
  readonly subject: Visitor | null;
  readonly receivedAt: Date;
}

export interface StoredContact extends Contact {
  readonly state: ContactState;
}
