import type { StoredContact } from '../../../../model/contact.ts';
import { toVisible } from '../../../../model/visible-text.ts';

// Outlook and browsers on Windows refuse or cut links of more than about 2,000 characters.
const maxLength = 1_900;
const maxNameLength = 60;

/**
 * Returns the link that opens a mail program with a reply to a contact request (RFC 6068), `receivedAt` being its instant in
 * words. The message is quoted as far as mail programs take it.
 */
export function replyLink(
  { name, email, message }: Pick<StoredContact, 'name' | 'email' | 'message'>,
  receivedAt: string,
): string {
  const at = email.lastIndexOf('@');
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
  const shortName = [...toVisible(name)].slice(0, maxNameLength).join('');
  const introduction = `\r\n\r\n${shortName} wrote on ${receivedAt}:\r\n\r\n`;
  const head = `mailto:${address}?subject=${encodeURIComponent('Re: your message')}&body=${encodeURIComponent(introduction)}`;
  const lines = message.trim().split(/\r?\n/);
  const quote = lines.map((line) => `> ${toVisible(line)}`).join('\r\n');
  return head + encodedWithin(quote, maxLength - head.length);
}

/** Encodes a text for a URL, cut so that it has at most so many characters; an ellipsis stands for what is left out. */
function encodedWithin(text: string, length: number): string {
  const encoded = encodeURIComponent(text);
  if (encoded.length <= length) return encoded;
  const ellipsis = encodeURIComponent('…');
  let kept = '';
  for (const character of text) {
    const next = kept + encodeURIComponent(character);
    if (next.length + ellipsis.length > length) break;
    kept = next;
  }
  return kept + ellipsis;
}
