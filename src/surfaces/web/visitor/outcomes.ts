import type { Failure } from '../../../model/failure.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { formatWait } from '../format.ts';
import { statusMessage } from '../page.ts';

// What the pages for visitors say of the form that was sent.

export const wrongAddress = 'Enter one e-mail address, such as ada@example.com.';

export function notSent({ code, message, retryAfterSeconds: seconds }: Failure) {
  const isLimit = code === 'RATE_LIMITED' && seconds !== null;
  const reason = isLimit ? `There were too many requests. Try again in ${formatWait(seconds)}.` : message;
  return statusMessage('bad', `Nothing was sent. ${reason}`);
}
export const notYetSent = statusMessage(
  'attention',
  'Your message is not sent yet: it waits below for you to send it.',
);
export const sent = (email: string) =>
  statusMessage('good', `Your message was sent. The answer will come to ${toVisible(email)}.`);
export const recordErased = statusMessage('good', 'The record was erased.');
export const accessEnded = (hasMessage: boolean) =>
  statusMessage(
    'attention',
    `This token is not valid: it has expired, was revoked, or was copied in part. Get access again${
      hasMessage ? '; your message is kept' : ''
    }.`,
  );
