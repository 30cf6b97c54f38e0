import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Email, Notice } from '../../model/notice.ts';
import { fsyncFolder, replaceDurably } from '../output-file.ts';

/** An e-mail with its recipient; retries have the same `id`, and therefore the same Message-ID. */
export interface Message extends Email, Pick<Notice, 'thread'> {
  readonly id: string;
  readonly to: string;
  readonly createdAt: Date;
  readonly isWritten?: boolean;
}

export type Mailer = ReturnType<typeof openMailer>;

interface MailerOptions {
  /** An `smtp:` or `smtps:` URL; if it is undefined, each message is written to an `.eml` file in `directory`. */
  readonly smtpUrl: string | undefined;
  /** The sender's address; by default an address at the host of `baseUrl`. */
  readonly from: string | undefined;
  readonly baseUrl: string;
  readonly directory: string;
  readonly log: Pick<Logger, 'info'>;
}

/** Opens the delivery by SMTP or to files. It connects, or creates the folder, when the first message is sent. */
export function openMailer({ smtpUrl, from, baseUrl, directory, log }: MailerOptions) {
  const host = mailHostOf(baseUrl);
  const address = from ?? defaultSenderOf(baseUrl);
  if (smtpUrl === undefined) log.info({ directory }, 'SMTP_URL is not set: each mail is written to a file');

  return {
    /** Throws `MailFailure` if the message was not delivered; it can then be sent again. */
    async send(message: Message, signal: AbortSignal): Promise<void> {
      try {
        const name = toHeaderText(message.fromName ?? 'candidate-profile');
        const mail = { ...compose(message, host), from: { name, address }, signal };
        if (smtpUrl === undefined) await writeEml(mail, directory, message);
        else await (await openTransport(smtpUrl)).sendMail(mail);
      } catch (error) {
        throw toMailFailure(error as Error);
      }
    },

    /** Removes the `.eml` file of a message, if there is one; returns the number of removed files. */
    removeFile: (id: string): Promise<number> => removeMailFiles(directory, { ids: [id] }),
  };
}

export const defaultSenderOf = (baseUrl: string): string => `candidate-profile@${mailHostOf(baseUrl)}`;

/** Returns the host of an address; not every mail server accepts an address literal (RFC 5321, section 4.1.3). */
function mailHostOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
}

/** Composes headers and body. Addresses are validated, and passed as objects so that nodemailer parses none. */
const compose = (
  { id, to, subject, text, replyTo, createdAt, thread = [], isWritten = false }: Message,
  host: string,
): SendMailOptions => ({
  to: { name: '', address: to },
  ...(replyTo === null || !isSafeInHeader(replyTo) ? {} : { replyTo: { name: '', address: replyTo } }),
  subject: toHeaderText(subject),
  date: createdAt,
  messageId: `<${id}@${host}>`,
  ...(thread.length > 0 && {
    inReplyTo: `<${thread.at(-1)}@${host}>`,
    references: thread.map((each) => `<${each}@${host}>`),
  }),
  ...(isWritten ? {} : { headers: { 'Auto-Submitted': 'auto-generated' } }),
  // nodemailer does not end a line at a lone line feed, and would insert soft breaks into short lines.
  text: text.replace(/\r?\n/g, '\r\n'),
  textEncoding: 'quoted-printable',
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Escapes a text so that a visitor's name can neither break the line nor be decoded as an encoded word (RFC 2047). */
const toHeaderText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '=\\u{3f}');

/** Whether an address can be in a header: not beyond ASCII, nor with brackets or encoded words, which programs read. */
const isSafeInHeader = (address: string): boolean =>
  !/[<>]|=\?/.test(address) && !/[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')));

/** Opens the connection to a mail server, with TLS unless it is on this machine. */
export async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer');
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(new URL(smtpUrl).hostname);
  return createTransport({
    url: smtpUrl,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A relay on loopback rarely has a certificate for its name, and the traffic does not leave this machine.
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : { requireTLS: true }),
  });
}

/** Writes or replaces an `.eml` file, for a mail program. Its text is not encoded: a link can be copied in any editor. */
async function writeEml(
  mail: SendMailOptions,
  directory: string,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  const path = join(directory, `${createdAt.toISOString().replace(/[-:]/g, '')}-${id}.eml`);
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  await replaceDurably(path, withPlainText(String(message), String(mail.text)));
  if (created !== undefined) await fsyncFolder(dirname(created));
}

/** Returns a mail with its text unencoded, unless a line is too long for a mail (RFC 5322, section 2.1.1). */
function withPlainText(message: string, text: string): string {
  if (text.split('\r\n').some((line) => Buffer.byteLength(line) > 998)) return message;
  const head = message.slice(0, message.indexOf('\r\n\r\n') + 4);
  return head.replace(/^Content-Transfer-Encoding: .*$/m, 'Content-Transfer-Encoding: 8bit') + text;
}

/** Removes the `.eml` files of the mails with these ids, and files written before an instant; returns how many. */
export async function removeMailFiles(
  directory: string,
  { ids, before = new Date(0) }: { ids: readonly string[]; before?: Date },
): Promise<number> {
  const erased = new Set(ids);
  const names = existsSync(directory) ? await readdir(directory) : [];
  const isOld = (name: string) =>
    (statSync(join(directory, name), { throwIfNoEntry: false })?.mtime ?? before) < before;
  const removable = names.filter((name) => {
    const stem = /^(.*)\.eml(\.part)?$/.exec(name)?.[1];
    return stem !== undefined && (erased.has(stem.slice(-36)) || isOld(name));
  });
  for (const name of removable) await rm(join(directory, name), { force: true });
  return removable.length;
}

/** The failure to deliver a message: a code, with the SMTP reply code, without addresses, so that it can be logged. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  /** True if the server refused this message permanently (5xx), false if a retry may succeed. */
  readonly isPermanent: boolean = false;
  /** True if the server refused the content, after it had accepted sender and recipient. */
  readonly isAboutContent: boolean = false;
}

type DeliveryError = NodeJS.ErrnoException & { readonly responseCode?: number; readonly response?: string };

export function toMailFailure(error: DeliveryError): MailFailure {
  const { code = error.name, responseCode = 0, response = '' } = error;
  // The reply's text may contain addresses, so only its codes are kept (RFC 3463).
  const reply = /^[245]\d\d([ -][245]\.\d{1,3}\.\d{1,3}\b)?/.exec(response)?.[0];
  // A refused login or greeting is not about the message: it can be sent once the settings are corrected.
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return Object.assign(new MailFailure(reply === undefined ? code : `${code} ${reply}`, { cause: error }), {
    isPermanent: isAboutMessage && responseCode >= 500,
    isAboutContent: code === 'EMESSAGE' && responseCode >= 400,
  });
}
