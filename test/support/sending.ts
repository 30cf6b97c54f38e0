import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Mailer, openMailer } from '../../src/adapters/mail/mailer.ts';
import { startSender } from '../../src/adapters/mail/sender.ts';
import { openStore } from '../../src/adapters/store/store.ts';
import { mailsPerHourOf, type QueuedNotice } from '../../src/model/notice.ts';
import { byAddress } from '../../src/model/visitor.ts';
import { toAccessNotice, toBriefEmail, toContactNotice, toEmail } from '../../src/operations/notices.ts';
import { createDatabase, openDatabase } from './database.ts';
import { newFolder } from './files.ts';
import { openInbox } from './inbox.ts';
import { eventually } from './process.ts';
import { noon } from './store.ts';

interface Sending extends NonNullable<Parameters<typeof openInbox>[1]> {
  readonly mailsPerHour?: number;
  readonly smtpUrl?: string | undefined;
  readonly wrap?: (mailer: Mailer) => Mailer;
}

/** An outbox with a mail server of its own and a settable clock. */
export async function openSending(
  t: TestContext,
  { mailsPerHour = mailsPerHourOf(1), wrap, ...options }: Sending = {},
) {
  const folder = newFolder(t);
  const { url, received } = await openInbox(t, options);
  const clock = { now: noon, owner: 'owner@example.com' as string | undefined };
  const path = await createDatabase(join(folder, 'store.db'));
  const openStoreBeside = async () => {
    const store = await openStore(openDatabase(path), { mailsPerHour });
    t.after(() => store.close());
    return store;
  };
  const store = await openStoreBeside();
  const lines: { level: string; fields: object; text: string }[] = [];
  const logAt =
    (level: string) =>
    (fields: object, text = '') =>
      void lines.push({ level, fields, text });
  const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
  const directory = join(folder, 'mail');
  const smtpUrl = 'smtpUrl' in options ? options.smtpUrl : url;
  const mailer = openMailer({ smtpUrl, from: undefined, baseUrl: 'http://x', directory, log });
  const service = {
    baseUrl: 'https://profile.example',
    candidateName: 'Lena Vasquez',
    readerIdOf: (address: string) => `of-${address}`,
  };
  const compose = (notices: readonly QueuedNotice[], hasTexts: boolean) =>
    (hasTexts ? toEmail : toBriefEmail)(notices, service);
  let contacts = 0;

  /** Sends mail from now on; a test stops it, or its end. */
  function start() {
    const parts = { store, mailer: wrap?.(mailer) ?? mailer, toEmail: compose, to: () => clock.owner };
    const sender = startSender({ ...parts, audit: () => {}, now: () => clock.now, log });
    store.outbox.onQueued(sender.wake);
    t.after(sender.stop);
    return sender;
  }
  const unsent = () => store.outbox.listUnsent(clock.now);
  return {
    ...{ path, directory, store, openStoreBeside, received, clock, lines, start, unsent },
    hasLogged: (text: string, times = 1) => lines.filter((line) => line.text === text).length >= times,
    async write(message: string, name = 'Ada') {
      contacts += 1;
      const given = { id: `contact_${contacts}`, name, email: 'ada@example.org', company: 'Engines', message };
      const contact = { ...given, subject: byAddress('ada@example.org'), receivedAt: clock.now };
      await store.contacts.add(contact, toContactNotice(contact), null);
    },
    async issue(address: string) {
      const token = { jti: address, subject: byAddress(address), issuedAt: clock.now, expiresAt: clock.now };
      await store.tokens.add(token, toAccessNotice(token, '192.0.2.1'));
    },
    /** Sends the due mail; resolves when no more is due. */
    async send() {
      const sender = start();
      await eventually(async () =>
        (await unsent()).every(({ waitsFor }) => waitsFor !== 'due' && waitsFor !== 'being_sent'),
      );
      await sender.stop();
    },
    at: (minutes: number) => {
      clock.now = new Date(noon.getTime() + minutes * 60_000);
    },
    subjects: () => received.splice(0).map(({ email }) => email.subject),
    deadLetters: async () => (await unsent()).filter(({ dueAt }) => dueAt === null),
  };
}
