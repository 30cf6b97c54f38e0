import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Cleanup } from './files.ts';

/** The error with which a mail server refuses a message. */
export const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** A mail server that collects the mails it accepts; `answer` can refuse a mail by throwing a `refusal`. */
export async function openInbox(
  t: Cleanup,
  { answer = async () => {}, ...options }: SMTPServerOptions & { answer?: (email: Email) => Promise<void> } = {},
) {
  const received: { from: string; to: string[]; email: Email; bytes: number }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    async onData(stream, { envelope }, callback) {
      try {
        const source = await new Response(stream as unknown as BodyInit).arrayBuffer();
        const email = await PostalMime.parse(source);
        await answer(email);
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map(({ address }) => address), email, bytes: source.byteLength });
        callback();
      } catch (error) {
        callback(error as Error);
      }
    },
    ...options,
  });
  server.on('error', () => {}); // in some tests the client closes the connection early
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { port, url: `smtp://127.0.0.1:${port}`, received };
}
