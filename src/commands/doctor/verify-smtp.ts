import { domainToASCII } from 'node:url';
import { promisify } from 'node:util';
import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { openTransport, toMailFailure } from '../../adapters/mail/mailer.ts';

export interface Envelope {
  readonly from: string;
  readonly to: string | undefined;
}

/** An address that a mail server refuses, with its reply; temporarily unless `isPermanent`. */
export interface RefusedAddress {
  readonly role: 'sender' | 'recipient';
  readonly address: string;
  readonly reply: string;
  readonly isPermanent: boolean;
}

/** Asks a mail server whether it accepts a mail, and sends none; returns the refused address, or null. Throws `MailFailure`. */
export async function verifySmtp(smtpUrl: string, envelope: Envelope): Promise<RefusedAddress | null> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { options } = (await openTransport(smtpUrl)).transporter as SMTPTransport;
  let refused: RefusedAddress | null = null;
  // Only a custom log-in can send any command; nodemailer sends the recipient and DATA together.
  const ENVELOPE = async ({ sendCommand, extensions }: SMTPConnectionCustomAuthContext) => {
    const ask = async (command: string) => (await sendCommand(command)).response;
    refused = await findRefused(envelope, ask, extensions.includes('SMTPUTF8'));
    await ask('RSET');
  };
  const connection = new SMTPConnection({ ...options, customAuth: { ENVELOPE } });
  const failed = new Promise<never>((_, reject) => {
    connection.once('error', reject).once('end', () => reject(Object.assign(new Error(), { code: 'ECONNECTION' })));
  });
  const run = (step: (done: (error?: Error | null) => void) => void) => Promise.race([promisify(step)(), failed]);
  try {
    await run((done) => connection.connect(done));
    const { user, pass } = options.auth ?? {};
    if (options.auth && connection.allowsAuth) await run((done) => connection.login({ user, pass }, done));
    await run((done) => connection.login({ method: 'ENVELOPE' }, done));
    connection.quit();
    return refused;
  } catch (error) {
    connection.close();
    // A server may end the connection with a refusal.
    if (refused === null) throw toMailFailure(error as Error);
    return refused;
  }
}

async function findRefused(
  { from, to }: Envelope,
  ask: (command: string) => Promise<string>,
  hasUtf8: boolean,
): Promise<RefusedAddress | null> {
  const inAscii = (address: string) => {
    const at = address.lastIndexOf('@') + 1;
    return address.slice(0, at) + domainToASCII(address.slice(at));
  };
  const utf8 = hasUtf8 && /[^\x20-\x7e]/.test(inAscii(from) + inAscii(to ?? '')) ? ' SMTPUTF8' : '';
  for (const [role, command, address] of [
    ['sender', `MAIL FROM:<${inAscii(from)}>${utf8}`, from],
    ['recipient', `RCPT TO:<${inAscii(to ?? '')}>`, to],
  ] as const) {
    const reply = address === undefined ? '2' : await ask(command);
    if (!reply.startsWith('2')) return { role, address: address!, reply, isPermanent: reply.startsWith('5') };
  }
  return null;
}
