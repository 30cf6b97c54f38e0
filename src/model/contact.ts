import { longestAddress, toEmailAddress } from 'resume-profile/email-address';
import { countCodePoints } from 'resume-profile/text';
import { z } from 'zod';
import type { Visitor, VisitorKey } from './visitor.ts';

type Refuse = (message: string) => never;

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));

/** The JSON Schema of a field; the limit is in characters. */
interface About {
  readonly description: string;
  readonly limit: number;
  readonly example: string;
  readonly format?: 'email';
}

/** A required field; `refuse` adds an issue whose message follows the field's name. */
const field = ({ description, limit, example, ...format }: About, read: (value: unknown, refuse: Refuse) => string) =>
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
      type: 'string',
      ...format,
      description,
      minLength: 1,
      maxLength: limit,
      examples: [example],
    }) as unknown as z.ZodType<string, string>;

const boundedField = (about: About, read: (value: string, refuse: Refuse) => string) =>
  field(about, (value, refuse) => {
    const { limit } = about;
    if (typeof value !== 'string') return refuse('must be a string');
    // Length first, so that no regular expression runs on an unbounded text. Characters are code points.
    if (value.length > limit && countCodePoints(value) > limit) return refuse(`must be at most ${limit} characters`);
    return read(value, refuse);
  });

const textField = (about: About, control: RegExp) =>
  boundedField(about, (value, refuse) => (control.test(value) ? refuse('must not contain control characters') : value));

// Lone surrogates (Cs) are not valid Unicode; REST refuses the whole body for them (RFC 8259, section 8.2).
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const controlButNewlineOrTab = /(?!\r?\n|\t)[\p{Cc}\p{Cs}]/u;
const notAnAddress = 'must be a valid email address';

/** How many characters each field of a contact request takes. */
export const contactLimits = { name: 200, email: longestAddress, company: 200, message: 10_000 };

/** The input of a contact request; an error names the first wrong field (specification, Contact request). */
export const ContactRequest = z
  .object({
    name: textField(
      { description: 'Name of the person the message is from', limit: contactLimits.name, example: 'Ada Lovelace' },
      control,
    ),
    email: boundedField(
      {
        description: 'Their e-mail address, to which the candidate may answer',
        limit: longestAddress,
        example: 'ada@example.com',
        format: 'email',
      },
      (value, refuse) => toEmailAddress(value) ?? refuse(notAnAddress),
    ),
    company: textField(
      { description: 'Their company or organization', limit: contactLimits.company, example: 'Analytical Engines' },
      control,
    ),
    message: textField(
      {
        description: 'The message, plain text',
        limit: contactLimits.message,
        example: 'We are hiring. Shall we talk next week?',
      },
      controlButNewlineOrTab,
    ),
  })
  .meta({ id: 'ContactRequest' });
export type ContactRequest = z.infer<typeof ContactRequest>;

/** The input of a token request (specification, Token request). */
export const TokenRequest = z
  .object({
    email: field(
      {
        description: 'E-mail address of the person who asks, one plain address',
        limit: longestAddress,
        example: 'ada@example.com',
        format: 'email',
      },
      (value, refuse) => (typeof value === 'string' ? toEmailAddress(value) : null) ?? refuse(notAnAddress),
    ),
  })
  .meta({ id: 'TokenRequest' });
export type TokenRequest = z.infer<typeof TokenRequest>;

export const ContactState = z.enum(['unread', 'read', 'replied', 'archived', 'spam']);
export type ContactState = z.infer<typeof ContactState>;

/** The contact requests of the states that have the text, in any case, in a field; an empty text is in all. */
export interface InboxView {
  readonly states: readonly ContactState[];
  readonly search: string;
  /** Visitors whose messages are found besides those that have the text. */
  readonly links?: readonly VisitorKey[];
}

/** Returns the beginning of a text in one line, cut after so many characters; an ellipsis stands for what is left out. */
export function excerptOf(text: string, length: number): string {
  const line = text.trim().replace(/[ \t\r\n]+/g, ' ');
  const shown = [...line.slice(0, 2 * length)].slice(0, length).join(''); // whole characters
  return shown === line ? shown : `${shown.trimEnd()}…`;
}

/** A contact request as stored: what the visitor sent, with which token, and when. */
export interface Contact extends ContactRequest {
  readonly id: string;
  /** The token's subject; null if the owner sent it. */
  readonly subject: Visitor | null;
  readonly receivedAt: Date;
}

/** A contact request as the owner sees it. */
export interface StoredContact extends Contact {
  readonly state: ContactState;
}
