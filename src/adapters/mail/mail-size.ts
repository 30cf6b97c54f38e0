import type { Notice } from '../../model/notice.ts';

/** The maximum size of a mail's text as sent: common servers accept a mail of 2 MB, and the headers need the rest. */
const textBytes = 1_960_000;

/** The maximum size of a separator between the notices of a digest, and of the lines at its top. */
const separatorBytes = 100;

// Quoted-printable (RFC 2045, section 6.7) keeps printable ASCII and writes any other byte as three. A line break is CRLF,
// and white space before it is encoded.
const bytesOf = (byte: number): number => {
  if (byte === 0x0a) return 4;
  return byte >= 0x20 && byte <= 0x7e && byte !== 0x3d ? 1 : 3;
};

// nodemailer inserts a soft line break of three characters after at least 51 characters.
const withSoftBreaks = (bytes: number): number => Math.ceil((bytes * 54) / 51);

/** Returns an upper bound of a text's size as sent. */
function bytesAsSent(text: string): number {
  let bytes = 0;
  for (const byte of Buffer.from(text)) bytes += bytesOf(byte);
  return withSoftBreaks(bytes);
}

/** Returns how many of the first notices fit into one mail; at least 1. */
export function countFittingOneMail(
  notices: readonly Pick<Notice, 'kind' | 'messageHash' | 'line' | 'text'>[],
): number {
  const quotedBytes = new Map<string, number>();
  let room = textBytes - separatorBytes;
  const end = notices.findIndex(({ kind, messageHash, line, text }) => {
    room -= separatorBytes + bytesAsSent(line);
    // A digest has one line per access notice, and quotes equal messages once, with the white space of one of them.
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

/**
 * Returns the text, or as much of it as fits into one mail with a last line that says that it was cut and names the command to
 * read it all.
 */
export function cutToOneMail(text: string, exportCommand: string): string {
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
