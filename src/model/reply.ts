import { countCodePoints, toCodePointNotation } from 'resume-profile/text';
import { z } from 'zod';
import { contactLimits } from './contact.ts';

const limit = contactLimits.message;

// Mail programs show other control characters in their own way, if at all.
const control = /(?![\n\t])\p{Cc}/u;

/** The text of a reply as typed: line breaks are `\n`, and blanks around it are removed. */
export const ReplyText = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .min(1, 'is empty: write something, and send it again.')
      .refine((text) => countCodePoints(text) <= limit, {
        error: ({ input }) =>
          `has ${countCodePoints(String(input))} characters, and can have ${limit}. Shorten it, and send it again.`,
      })
      .refine((text) => !control.test(text), {
        error: ({ input }) =>
          `has the control character ${toCodePointNotation(control.exec(String(input))![0])}. Remove it, and send it again.`,
      }),
  );

export interface Reply {
  readonly id: string;
  readonly contactId: string;
  readonly text: string;
  readonly writtenAt: Date;
}

/** A reply with the state of its mail. */
export interface StoredReply extends Reply {
  /** `failed` if it is retried only at the owner's request. */
  readonly state: 'waiting' | 'sent' | 'failed';
  /** When it was sent; null if it was not, and once its mail is erased. */
  readonly sentAt: Date | null;
  readonly lastError: string | null;
  /** The time of the retry after a failed attempt; otherwise null. */
  readonly nextTryAt: Date | null;
}
