import type { StoredContact } from '../model/contact.ts';
import { toVisible } from '../model/visible-text.ts';

/** Returns a whole contact request as text for a person; what hides or turns text is escaped. */
export function toText({ id, receivedAt, name, email, company, subject, state, message }: StoredContact): string {
  return toVisible(
    [
      `Request:   ${id}`,
      `Received:  ${receivedAt.toISOString()}`,
      `State:     ${state}`,
      `Name:      ${name}`,
      `E-mail:    ${email}`,
      `Company:   ${company}`,
      `Token:     ${subject === null ? 'none, sent from your own machine' : `issued to ${subject}`}`,
      '',
      message.replaceAll('\r\n', '\n'),
    ].join('\n'),
  );
}
