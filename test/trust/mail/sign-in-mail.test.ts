import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mailsPerHourOf } from '../../../src/adapters/store/due-mail.ts';
import { toSignInNotice } from '../../../src/operations/notices.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { refusal } from '../../support/inbox.ts';
import { openSending } from './sending.ts';

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';
const url = `https://profile.example/desk/sign-in?link=${secret}`;
type Sending = Awaited<ReturnType<typeof openSending>>;

/** Asks for a link, as the page does. */
async function askForLink({ store, clock }: Sending, hash = 'hash') {
  const expiresAt = new Date(clock.now.getTime() + 900_000);
  const link = { hash, createdAt: clock.now, expiresAt };
  await store.desk.addLink({ ...link, path: '/desk' }, toSignInNotice(link, url), []);
}

const noticesOf = ({ path }: Sending) => rowsOf(path, "select * from outbox where kind = 'sign_in'");

test('a link is mailed at once, alone and outside of the mail budget, while 1,000 notices wait and the hour is used up [TRUST-48]', async (t) => {
  const sending = await openSending(t, mailsPerHourOf(1));
  // Ten at a time, as many as the store has connections to PostgreSQL.
  for (let n = 0; n < 1_000; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, more) => sending.issue(`visitor-${n + more}@example.org`)));
  await sending.send();
  assert.equal(sending.subjects().length, 10);
  await sending.issue('late@example.org');
  for (let n = 0; n < 25; n += 1) await askForLink(sending, `hash-${n}`);
  await sending.write('Hello');
  await sending.send();
  assert.deepEqual(sending.subjects(), [
    ...Array(25).fill('Sign in to your desk'),
    'Contact request from Ada (Engines)',
  ]);
  sending.at(60);
  await sending.send();
  // The links have used nothing of the budget.
  assert.equal(sending.subjects().length, 1);
});

testOnSqlite('once a link is sent, no byte of it is left in the database', async (t) => {
  const sending = await openSending(t, mailsPerHourOf(1));
  await askForLink(sending);
  await sending.send();
  assert.match(sending.received[0]!.email.text!, new RegExp(`^${RegExp.escape(url)}$`, 'm'));
  const [row] = noticesOf(sending);
  assert.equal(row!.text, '');
  rowsOf(sending.path, 'pragma wal_checkpoint(truncate)');
  for (const file of [sending.path, `${sending.path}-wal`].filter(existsSync))
    assert.ok(!readFileSync(file, 'latin1').includes(secret), file);
});

test('a mail server that is down for 15 minutes gets no link afterwards, and no dead letter is left [TRUST-48]', async (t) => {
  let tries = 0;
  let isDown = true;
  const sending = await openSending(t, mailsPerHourOf(1), {
    answer: async () => {
      tries += 1;
      if (isDown) throw refusal(451, 'later');
    },
  });
  await askForLink(sending);
  for (const minutes of [0, 2, 5, 10, 14]) {
    sending.at(minutes);
    await sending.send();
  }
  assert.ok(tries >= 4, `${tries} tries`);
  const [row] = noticesOf(sending);
  assert.equal(row!.due_at, '2026-11-21T12:15:00.000Z');
  isDown = false;
  sending.at(15);
  await sending.send();
  assert.deepEqual(noticesOf(sending), []);
  assert.deepEqual(sending.subjects(), []);
});

test('a link that was ended while its mail waited is not sent', async (t) => {
  const sending = await openSending(t, mailsPerHourOf(1));
  await askForLink(sending);
  await sending.store.desk.endSessions();
  await sending.send();
  assert.deepEqual([sending.subjects(), noticesOf(sending)], [[], []]);
});

test('a waiting link is listed, and counted neither as a waiting notice nor as a dead letter', async (t) => {
  const sending = await openSending(t, mailsPerHourOf(1));
  await askForLink(sending);
  const [listed] = await sending.store.outbox.listUnsent(sending.clock.now);
  assert.deepEqual([listed!.kind, listed!.waitsFor], ['sign_in', 'due']);
  assert.deepEqual(await sending.store.outbox.state(), { waiting: 0, dead: 0, oldestAt: null });
  assert.equal(await sending.store.outbox.retryDead(sending.clock.now), 0);
});
