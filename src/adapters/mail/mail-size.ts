import type { Notice } from '../../operations/ports.ts';

/** What the text of a mail may take as sent: of the 2 MB of a mail, which common servers accept, headers have the rest. */
const textBytes = 1_960_000;

/** What stands between the notices of a digest, and at its top. */
const separatorBytes = 100;

// Quoted-printable (RFC 2045, section 6.7) keeps printable ASCII and writes any other byte as three. A line break is CRLF,
// and white space before it is encoded.
const bytesOf = (byte: number): number => {
  if (byte === 0x0a) return 4;
  return byte >= 0x20 && byte <= 0x7e && byte !== 0x3d ? 1 : 3;
};

// nodemailer breaks a line softly, with three characters, after 51 characters or more.
const withSoftBreaks = (bytes: number): number => Math.ceil((bytes * 54) / 51);

/** Returns how many bytes a text takes at most as it is sent. */
function bytesAsSent(text: string): number {
  let bytes = 0;
  for (const byte of Buffer.from(text)) bytes += bytesOf(byte);
  return withSoftBreaks(bytes);
}

/** Returns how many notices, from the first on, one mail has room for; at least 1. */
export function countFittingOneMail(
  notices: readonly Pick<Notice, 'kind' | 'messageHash' | 'line' | 'text'>[],
): number {
  const quotedBytes = new Map<string, number>();
  let room = textBytes - separatorBytes;
  const end = notices.findIndex(({ kind, messageHash, line, text }) => {
    room -= separatorBytes + bytesAsSent(line);
    // In a digest an access notice is one line, and a message that several sent is quoted once, as one of them spaced it.
    if (kind === 'contact_request') {
      const known = quotedBytes.get(messageHash ?? '') ?? 0;
      const bytes = Math.max(known, bytesAsSent(text));
      if (messageHash !== null) quotedBytes.set(messageHash, bytes);
      room -= bytes - known;
    }
    return room < 0;
  });
  return end === -1 ? notices.length : Math.max(end, 1);
}

/** Returns the text as one mail has room for it: cut, with a last line that names the command to read it all, if it is longer. */
export function cutToOneMail(text: string, exportCommand = 'candidate-profile contacts export'): string {
  if (bytesAsSent(text) <= textBytes) return text;
  const cutLine = `\n\nCut here, because a mail is at most 2 MB. The whole: ${exportCommand}\n`;
  let bytes = bytesAsSent(cutLine);
  let end = 0;
  for (const character of text) {
    for (const byte of Buffer.from(character)) bytes += bytesOf(byte);
    if (withSoftBreaks(bytes) > textBytes) break;
    end += character.length;
  }
  return text.slice(0, end) + cutLine;
}
