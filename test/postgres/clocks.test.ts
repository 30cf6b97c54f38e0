import '../support/on-postgres.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMailer } from '../../src/adapters/mail/mailer.ts';
import { startSender } from '../../src/adapters/mail/sender.ts';
import { openStore } from '../../src/adapters/store/store.ts';
import { createDatabase, databaseSettings, openDatabase } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { eventually, startProcess } from '../support/process.ts';
import { contact, newDatabasePath, notice, token } from '../support/store.ts';

test('a replica whose clock is ahead does not send a mail that another one is sending', async (t) => {
  const store = await openStore(openDatabase(await createDatabase(newDatabasePath(t))));
  t.after(() => store.close());
  const { url, received } = await openInbox(t);
  const now = await store.readClock();
  await store.contacts.add({ ...contact, receivedAt: now }, { ...notice, subject: 'being sent' }, null);
  assert.ok(await store.outbox.claim(now, new Date(now.getTime() + 15_000), 'owner'));
  // Messages go first: if that mail were due, it would be sent before this one.
  const access = { ...notice, kind: 'auth_request', about: token.jti, subject: 'waiting' } as const;
  await store.tokens.add({ ...token, issuedAt: now }, access);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const ahead = startSender({
    ...{ store, log, audit: () => {}, to: () => 'owner@example.com' },
    mailer: openMailer({ smtpUrl: url, from: undefined, baseUrl: 'http://x', directory: newFolder(t), log }),
    toEmail: ([first]) => ({ subject: first!.subject, text: 'text', replyTo: null }),
    now: () => new Date(Date.now() + 120_000),
    readClock: store.readClock,
  });
  await eventually(() => received.length > 0).finally(ahead.stop);
  assert.deepEqual(
    received.map(({ email }) => email.subject),
    ['waiting'],
  );
});

test('a replica whose clock is wrong says so when it starts', async (t) => {
  const folder = newFolder(t);
  const offset = join(folder, 'offset');
  writeFileSync(offset, '120');
  const { lines } = await startProcess(t, {
    ...(await databaseSettings(folder)),
    NODE_OPTIONS: `--import=${new URL('../trust/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: offset,
  });
  const warning = "this machine's clock is 120 s ahead of the database server's: set both by NTP";
  assert.ok(lines.some((line) => line.includes(warning)));
});
