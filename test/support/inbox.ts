import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What a mail server is asked to refuse a message with. */
export const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** A mail server that keeps what it accepts; `answer` decides each message before it is accepted. */
export async function openInbox(
  t: TestContext,
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
  server.on('error', () => {}); // a client that hangs up in the middle is a part of some tests
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { port, url: `smtp://127.0.0.1:${port}`, received };
}
