import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Email } from '../../operations/ports.ts';
import { createDraft, fsyncFolder } from '../durable-file.ts';
import { cutToOneMail } from './mail-size.ts';

/** A letter on its way to the owner; `id` stays the same over retries. */
export interface Message extends Email {
  readonly id: string;
  readonly to: string;
  readonly createdAt: Date;
}

/** Delivers messages; `send` throws `MailFailure` if one was not delivered, and may be called again with it. */
export interface Mailer {
  send(message: Message, signal: AbortSignal): Promise<void>;
}

/** A message that was not delivered. Its text names codes and no address, so that it may be logged; the cause says more. */
export class MailFailure extends Error {
  /** True if this very message was refused for good. */
  readonly isPermanent: boolean;
  /** True if the server took sender and recipient, and refused what it then read. */
  readonly isAboutContent: boolean;

  constructor(message: string, { isPermanent = false, isAboutContent = false, cause }: Partial<MailFailure> = {}) {
    super(message, { cause });
    this.name = 'MailFailure';
    this.isPermanent = isPermanent;
    this.isAboutContent = isAboutContent;
  }
}

interface Options {
  /** `smtp:` or `smtps:`; without it each message becomes an `.eml` file in `directory`. */
  readonly smtpUrl: string | undefined;
  /** The sender's address, by default one at the host of `baseUrl`. */
  readonly from: string | undefined;
  readonly baseUrl: string;
  readonly directory: string;
  /** What the owner types to read a text that is too long for a mail. */
  readonly exportCommand?: string;
  readonly log: Pick<Logger, 'info'>;
}

/** Mail by SMTP or into files. Nothing is connected or created before the first message. */
export function openMailer({ smtpUrl, from, baseUrl, directory, exportCommand, log }: Options): Mailer {
  // An address literal is no part of an e-mail address that everybody takes.
  const { hostname } = new URL(baseUrl);
  const host = /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  const sender = { name: 'candidate-profile', address: from ?? `candidate-profile@${host}` };
  if (smtpUrl === undefined) log.info({ directory }, 'SMTP_URL is not set: each mail is written to a file');

  return {
    async send(message, signal) {
      try {
        const text = cutToOneMail(message.text, exportCommand);
        const mail = { ...toMail({ ...message, text }, host), from: sender, signal };
        if (smtpUrl === undefined) await writeEml(mail, directory, toFileName(message));
        else await submit(mail, smtpUrl);
      } catch (error) {
        throw toMailFailure(error as SmtpError);
      }
    },
  };
}

const toFileName = ({ id, createdAt }: Message) => `${createdAt.toISOString().replace(/[-:]/g, '')}-${id}.eml`;

/** Removes the files that mails with these ids, or mails before an instant, were written to; returns how many there were. */
export async function removeMailFiles(
  directory: string,
  { ids, before = new Date(0) }: { ids: readonly string[]; before?: Date },
): Promise<number> {
  const erased = new Set(ids);
  const names = existsSync(directory) ? await readdir(directory) : [];
  const gone = names.filter((name) => {
    const stem = /^(.*)\.eml(\.part)?$/.exec(name)?.[1];
    if (stem === undefined || erased.has(stem.slice(-36))) return stem !== undefined;
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return found !== undefined && found.mtime < before;
  });
  for (const name of gone) await rm(join(directory, name), { force: true });
  return gone.length;
}

/**
 * Whether a header may have the address. A server without SMTPUTF8 would refuse the whole notice for the sake of another
 * local part, and nodemailer or the reader's program makes another address of one with brackets or encoded words (RFC 2047).
 */
const isPlain = (address: string): boolean =>
  !/[<>]|=\?/.test(address) && !/[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')));

/** Addresses were validated before, and are given as objects so that nothing parses them again. */
const toMail = ({ id, to, subject, text, replyTo, createdAt }: Message, host: string): SendMailOptions => ({
  to: { name: '', address: to },
  ...(replyTo === null || !isPlain(replyTo) ? {} : { replyTo: { name: '', address: replyTo } }),
  // One line, and nothing that is decoded once more, whatever name a visitor gives.
  subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '=\\u{3f}'),
  date: createdAt,
  messageId: `<${id}@${host}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  // nodemailer takes lone line feeds for parts of a line, and would break lines where they are short.
  text: text.replace(/\r?\n/g, '\r\n'),
  textEncoding: 'quoted-printable',
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Connects to a mail server and logs in, as before sending. Throws `MailFailure`. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  try {
    await (await openTransport(smtpUrl)).verify();
  } catch (error) {
    throw toMailFailure(error as SmtpError);
  }
}

async function submit(mail: SendMailOptions, smtpUrl: string): Promise<void> {
  await (await openTransport(smtpUrl)).sendMail(mail);
}

async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer');
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(new URL(smtpUrl).hostname);
  return createTransport({
    url: smtpUrl,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A relay on this machine seldom has a certificate for its name, and nobody stands between.
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : { requireTLS: true }),
  });
}

async function writeEml(mail: SendMailOptions, directory: string, name: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  const path = join(directory, name);
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  await rm(`${path}.part`, { force: true }); // left by a crash
  await using draft = await createDraft(`${path}.part`);
  await draft.handle.writeFile(message as Buffer);
  await draft.replace(path);
  if (created !== undefined) await fsyncFolder(dirname(created));
}

interface SmtpError extends NodeJS.ErrnoException {
  readonly responseCode?: number;
  readonly response?: string;
}

function toMailFailure(error: SmtpError): MailFailure {
  const { code = error.name, responseCode = 0, response = '' } = error;
  // The reply's free text may repeat addresses; of it only the codes are shown (RFC 3463).
  const reply = /^[245]\d\d([ -][245]\.\d{1,3}\.\d{1,3}\b)?/.exec(response)?.[0];
  // A refused login or greeting is a fault of the settings: the message can be sent once they are right.
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return new MailFailure(reply === undefined ? code : `${code} ${reply}`, {
    isPermanent: isAboutMessage && responseCode >= 500,
    isAboutContent: code === 'EMESSAGE' && responseCode >= 400,
    cause: error,
  });
}
