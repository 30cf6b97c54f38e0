import { toVisible } from '../model/visible-text.ts';
import type { Contact } from '../operations/ports.ts';

/** Returns a contact request with the names of fields that JSON outputs have. */
export const toRecord = ({ receivedAt, ...contact }: Contact) => ({
  ...contact,
  received_at: receivedAt.toISOString(),
});

/** Returns a whole contact request as text for a person; what hides or turns text is escaped. */
export function toText({ id, receivedAt, name, email, company, subject, message }: Contact): string {
  return toVisible(
    [
      `Request:   ${id}`,
      `Received:  ${receivedAt.toISOString()}`,
      `Name:      ${name}`,
      `E-mail:    ${email}`,
      `Company:   ${company}`,
      `Token:     ${subject === null ? 'none, sent from your own machine' : `issued to ${subject}`}`,
      '',
      message.replaceAll('\r\n', '\n'),
    ].join('\n'),
  );
}

/** Returns the first line of a message, cut after 60 characters; an ellipsis stands for what is left out. */
export function firstLineOf(message: string): string {
  const [line = ''] = message.trim().split(/\r?\n/);
  const shown = [...line].slice(0, 60).join(''); // whole characters
  return shown === message.trim() ? shown : `${shown}…`;
}
