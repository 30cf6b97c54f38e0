import type { SendMailOptions } from 'nodemailer';
import { toMailFailure } from './mail-failure.ts';

/** Sends a mail to the server at an `smtp:` or `smtps:` URL. Throws nodemailer's error. */
export async function sendBySmtp(mail: SendMailOptions, smtpUrl: string): Promise<void> {
  await (await openTransport(smtpUrl)).sendMail(mail);
}

/** Connects to a mail server and logs in, as before sending. Throws `MailFailure`. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  try {
    await (await openTransport(smtpUrl)).verify();
  } catch (error) {
    throw toMailFailure(error as Error);
  }
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
    // A relay on loopback rarely has a certificate for its name, and the traffic does not leave this machine.
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : { requireTLS: true }),
  });
}
