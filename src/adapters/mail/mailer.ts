import type { SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import type { Email } from '../../model/notice.ts';
import { removeMailFiles, writeEml } from './eml-files.ts';
import { toMailFailure } from './mail-failure.ts';
import { cutToOneMail } from './mail-size.ts';
import { sendBySmtp } from './smtp.ts';

/** An e-mail with its recipient; retries have the same `id`, and so the same Message-ID. */
export interface Message extends Email {
  readonly id: string;
  readonly to: string;
  readonly createdAt: Date;
}

/** Delivers messages. `send` throws `MailFailure` if the message was not delivered; it can then be sent again. */
export interface Mailer {
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** Removes the file of a message, if it was written to one. */
  removeFile(id: string): Promise<void>;
}

interface Options {
  /** An `smtp:` or `smtps:` URL; if it is undefined, each message is written to an `.eml` file in `directory`. */
  readonly smtpUrl: string | undefined;
  /** The sender's address; by default an address at the host of `baseUrl`. */
  readonly from: string | undefined;
  readonly baseUrl: string;
  readonly directory: string;
  /** The command with which the owner reads a text that is too long for a mail. */
  readonly exportCommand: string;
  readonly log: Pick<Logger, 'info'>;
}

/** Opens the delivery by SMTP or to files. It connects, or creates the folder, when the first message is sent. */
export function openMailer({ smtpUrl, from, baseUrl, directory, exportCommand, log }: Options): Mailer {
  // Not every mail server accepts an address literal (RFC 5321, section 4.1.3).
  const { hostname } = new URL(baseUrl);
  const host = /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  const sender = { name: 'candidate-profile', address: from ?? `candidate-profile@${host}` };
  if (smtpUrl === undefined) log.info({ directory }, 'SMTP_URL is not set: each mail is written to a file');

  return {
    async send(message, signal) {
      try {
        const text = cutToOneMail(message.text, exportCommand);
        const mail = { ...compose({ ...message, text }, host), from: sender, signal };
        if (smtpUrl === undefined) await writeEml(mail, directory, message);
        else await sendBySmtp(mail, smtpUrl);
      } catch (error) {
        throw toMailFailure(error as Error);
      }
    },

    async removeFile(id) {
      await removeMailFiles(directory, { ids: [id] });
    },
  };
}

/** Composes the headers and the body. Addresses are validated already, and are passed as objects so that nodemailer parses none. */
const compose = ({ id, to, subject, text, replyTo, createdAt }: Message, host: string): SendMailOptions => ({
  to: { name: '', address: to },
  ...(replyTo === null || !isSafeInHeader(replyTo) ? {} : { replyTo: { name: '', address: replyTo } }),
  // A visitor's name can neither break the line nor be decoded as an encoded word (RFC 2047).
  subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '=\\u{3f}'),
  date: createdAt,
  messageId: `<${id}@${host}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  // nodemailer does not end a line at a lone line feed, and would insert soft breaks into short lines.
  text: text.replace(/\r?\n/g, '\r\n'),
  textEncoding: 'quoted-printable',
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Returns whether an address can be in a header. A server without SMTPUTF8 would refuse the mail for a local part that is not
 * ASCII; nodemailer or a mail program would parse a different address from one with brackets or encoded words (RFC 2047).
 */
const isSafeInHeader = (address: string): boolean =>
  !/[<>]|=\?/.test(address) && !/[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')));
