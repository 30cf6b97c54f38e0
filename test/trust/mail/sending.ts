import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openMailer } from '../../../src/adapters/mail/mailer.ts';
import { startSender } from '../../../src/adapters/mail/sender.ts';
import { hash } from '../../../src/adapters/node-crypto.ts';
import { type MailsPerHour, mailsPerHourOf } from '../../../src/adapters/store/due-mail.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import type { Notice } from '../../../src/model/notice.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toEmail } from '../../../src/operations/digest.ts';
import { toAccessNotice, toContactNotice } from '../../../src/operations/notices.ts';
import { createDatabase, openDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { openInbox } from '../../support/inbox.ts';
import { eventually } from '../../support/process.ts';

const noon = new Date('2026-11-21T12:00:00.000Z');
export const usual = mailsPerHourOf(1);
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** An outbox with a budget of mails per hour, a real mail server and a settable clock. */
export async function openSending(
  t: TestContext,
  mailsPerHour: MailsPerHour,
  inbox: Parameters<typeof openInbox>[1] = {},
) {
  const folder = newFolder(t);
  const { url, received } = await openInbox(t, inbox);
  const clock = { now: noon };
  const path = join(folder, 'store.db');
  const store = await openStore(openDatabase(await createDatabase(path)), { mailsPerHour });
  const mailer = openMailer({
    smtpUrl: url,
    from: undefined,
    baseUrl: 'http://x',
    directory: folder,
    log: quiet,
  });
  let contacts = 0;
  const compose = (notices: readonly Notice[]) =>
    toEmail(notices, {
      baseUrl: 'https://profile.example',
      candidateName: 'Lena Vasquez',
      readerIdOf: (address) => `of-${address}`,
    });
  const parts = { store, mailer, toEmail: compose, to: () => 'owner@example.com', audit: () => {}, log: quiet };
  return {
    path,
    store,
    received,
    clock,
    async write(message: string, name = 'Ada') {
      contacts += 1;
      const contact = { id: `contact_${contacts}`, name, email: 'ada@example.org', company: 'Engines', message };
      const kept = { ...contact, subject: byAddress('ada@example.org'), receivedAt: clock.now };
      await store.contacts.add(kept, toContactNotice(kept, hash), null);
    },
    async issue(address: string) {
      const token = { jti: address, subject: byAddress(address), issuedAt: clock.now, expiresAt: clock.now };
      await store.tokens.add(token, toAccessNotice(token, '192.0.2.1'));
    },
    /** Sends mail from now on. */
    start() {
      const outbox = startSender({ ...parts, now: () => clock.now });
      store.outbox.onQueued(outbox.wake);
      t.after(outbox.stop);
      return outbox;
    },
    /** Sends the due mail; resolves when no more is due. */
    async send() {
      const isDone = async () => {
        const dueAt = await store.outbox.nextDueAt(clock.now, 'owner');
        return dueAt === null || dueAt > clock.now;
      };
      do {
        const outbox = startSender({ ...parts, now: () => clock.now });
        await eventually(isDone);
        await outbox.stop(); // finishes the mail being sent, whose parts may be due then
      } while (!(await isDone()));
    },
    at: (minutes: number) => {
      clock.now = new Date(noon.getTime() + minutes * 60_000);
    },
    subjects: () => received.splice(0).map(({ email }) => email.subject),
    count: async () => (await store.contacts.list()).length,
    deadLetters: async () => (await store.outbox.listUnsent(clock.now)).filter(({ dueAt }) => dueAt === null),
  };
}
