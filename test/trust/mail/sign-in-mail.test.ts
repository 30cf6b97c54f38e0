import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import { toCodeNotice, toSignInNotice } from '../../../src/operations/notices.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { refusal } from '../../support/inbox.ts';
import { openSending } from '../../support/sending.ts';
import { noon } from '../../support/store.ts';

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';
const url = `https://profile.example/desk/sign-in?link=${secret}`;
type Sending = Awaited<ReturnType<typeof openSending>>;

/** Asks for a link, as the page does. */
async function askForLink({ store, clock }: Sending, hash = 'hash') {
  const expiresAt = new Date(clock.now.getTime() + 900_000);
  const link = { hash, createdAt: clock.now, expiresAt };
  await store.desk.addLink({ ...link, path: '/desk' }, toSignInNotice(link, url), []);
}

const waiting = ({ path }: Sending) => rowsOf(path, 'select kind, text from outbox where sent_at is null');

test('a link is mailed before all else, alone and outside of the mail budget [TRUST-48]', async (t) => {
  const sending = await openSending(t, { mailsPerHour: 2 });
  for (const n of [1, 2, 3]) await sending.issue(`visitor-${n}@example.org`);
  await sending.write('Hello');
  await sending.store.outbox.setSchedules({ contact_request: 'at_once', auth_request: 'daily' });
  for (let n = 0; n < 25; n += 1) await askForLink(sending, `hash-${n}`);
  await sending.send();
  const subjects = sending.subjects();
  assert.deepEqual(subjects, [...Array(25).fill('Sign in to your desk'), 'Contact request from Ada (Engines)']);
});

testOnSqlite('once a link is sent, no byte of it is left in the database', async (t) => {
  const sending = await openSending(t);
  await askForLink(sending);
  await sending.send();
  assert.match(sending.received[0]!.email.text!, new RegExp(`^${RegExp.escape(url)}$`, 'm'));
  rowsOf(sending.path, 'pragma wal_checkpoint(truncate)');
  for (const file of [sending.path, `${sending.path}-wal`].filter(existsSync))
    assert.ok(!readFileSync(file, 'latin1').includes(secret), file);
});

test('a mail server that is down for 15 minutes gets no link afterwards, and no dead letter is left [TRUST-48]', async (t) => {
  let tries = 0;
  let isDown = true;
  const sending = await openSending(t, {
    answer: async () => {
      tries += 1;
      if (isDown) throw refusal(451, 'later');
    },
  });
  await askForLink(sending);
  for (const minutes of [0, 2, 5, 10]) {
    sending.at(minutes);
    await sending.send();
  }
  assert.ok(tries >= 4, `${tries} tries`);
  assert.deepEqual(await sending.store.outbox.state(), { waiting: 0, dead: 0, oldestAt: null });
  isDown = false;
  sending.at(20);
  await sending.send();
  assert.deepEqual([await sending.unsent(), sending.subjects()], [[], []]);
});

test('a link or code that was used or ended while its mail waited is erased instead of sent', async (t) => {
  const sending = await openSending(t);
  const { store, clock } = sending;
  await askForLink(sending);
  await store.desk.endSessions();
  const subject = byAddress('ada@example.org');
  const code = { requestId: 'r1', expiresAt: new Date(clock.now.getTime() + 600_000) };
  const mail = { ...code, recipient: 'ada@example.org', code: '123456', clientName: 'Reader', candidateName: 'Lena' };
  await store.oauth.codes.add({ ...code, subject, hash: 'hash', createdAt: clock.now }, toCodeNotice(mail), []);
  assert.equal(await store.oauth.codes.use('r1', subject, 'hash', clock.now), 'used');
  await sending.write('Hello');
  await sending.send();
  assert.deepEqual([sending.subjects(), await sending.unsent()], [['Contact request from Ada (Engines)'], []]);
  await store.expiry.erase(clock.now, { contacts: null, mail: noon, reads: noon });
  assert.deepEqual(waiting(sending), []);
});

test('a link that is refused is discarded, and mail stays healthy', async (t) => {
  const sending = await openSending(t, { answer: () => Promise.reject(refusal(550, 'no')) });
  await askForLink(sending);
  await sending.send();
  assert.ok(sending.hasLogged('mail given up'));
  assert.deepEqual(waiting(sending), []);
  assert.equal(sending.start().isHealthy(), true);
});
