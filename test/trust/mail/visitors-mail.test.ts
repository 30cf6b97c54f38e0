import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { mailsPerHourOf } from '../../../src/adapters/store/due-mail.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toCodeNotice } from '../../../src/operations/notices.ts';
import { rowsOf } from '../../support/database.ts';
import { refusal } from '../../support/inbox.ts';
import { eventually } from '../../support/process.ts';
import { openSending } from './sending.ts';

/** A service with a mail server that answers RCPT for recipients at slow.example only once it is released. */
async function openSlow(t: TestContext, { isOwnerRefused = false } = {}) {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, callback) => {
    if (isOwnerRefused && address === 'owner@example.com') callback(refusal(451, 'later'));
    else if (!isReleased && address.endsWith('@slow.example')) waiting.push(callback);
    else callback();
  };
  const release = () => {
    isReleased = true;
    for (const answer of waiting.splice(0)) answer();
  };
  const sending = await openSending(t, mailsPerHourOf(1), { onRcptTo });
  let requests = 0;
  return {
    ...sending,
    waiting,
    release,
    recipients: () => sending.received.flatMap(({ to }) => to),
    /** Sends a code to an address, as the page does. */
    async sendCode(recipient: string) {
      requests += 1;
      const requestId = `request-${requests}`;
      const expiresAt = new Date(sending.clock.now.getTime() + 600_000);
      const secret = { requestId, recipient, code: '123456', expiresAt };
      const mail = toCodeNotice({ ...secret, clientName: 'Reader', candidateName: 'Lena' });
      const code = { requestId, subject: byAddress(recipient), hash: 'hash', createdAt: sending.clock.now, expiresAt };
      await sending.store.oauth.codes.add(code, mail, []);
    },
  };
}

test("a mail server that does not answer for strangers' domain delays no notice to the owner [TRUST-70]", async (t) => {
  const { sendCode, write, start, waiting, release, recipients } = await openSlow(t);
  for (let n = 0; n < 8; n += 1) await sendCode(`stranger-${n}@slow.example`);
  const { stop } = start();
  await eventually(() => waiting.length > 0);
  await write('Hello');
  await eventually(() => recipients().length > 0);
  assert.deepEqual(recipients(), ['owner@example.com']);
  release();
  await eventually(() => recipients().length === 9);
  await stop();
});

test("a code is sent while the mail server does not answer for another visitor's domain [TRUST-70]", async (t) => {
  const { sendCode, start, waiting, release, recipients, path } = await openSlow(t);
  await sendCode('stranger@slow.example');
  const { stop } = start();
  await eventually(() => waiting.length === 1);
  await sendCode('ada@example.org');
  await eventually(() => recipients().length > 0);
  assert.deepEqual(recipients(), ['ada@example.org']);
  release();
  await stop();
  // The first attempt of either was still under way.
  assert.deepEqual(rowsOf(path, 'select attempts, last_error, recipient from outbox order by recipient'), [
    { attempts: 1, last_error: null, recipient: 'ada@example.org' },
    { attempts: 1, last_error: null, recipient: 'stranger@slow.example' },
  ]);
});

test('a code that has not been tried goes before one that could not be sent [TRUST-70]', async (t) => {
  const { store, clock, at, sendCode } = await openSlow(t);
  const claim = () => store.outbox.claim(clock.now, new Date(clock.now.getTime() + 15_000), 'visitors');
  await sendCode('stranger@slow.example');
  await store.outbox.defer((await claim())!, clock.now, clock.now, 'ETIMEDOUT');
  at(1);
  await sendCode('ada@example.org');
  const recipients = [];
  for (let n = 0; n < 2; n += 1) recipients.push((await claim())?.notices[0]?.recipient);
  assert.deepEqual(recipients, ['ada@example.org', 'stranger@slow.example']);
  assert.equal(await claim(), null);
});

test("visitors' mail does not tell whether the owner's can be sent: /readyz says so until that is sent [TRUST-70]", async (t) => {
  const { sendCode, write, start, recipients, store, clock } = await openSlow(t, { isOwnerRefused: true });
  const { isHealthy } = start();
  await write('Hello');
  await eventually(() => !isHealthy());
  await sendCode('ada@example.org');
  await eventually(
    async () => recipients().length === 1 && (await store.outbox.nextDueAt(clock.now, 'visitors')) === null,
  );
  assert.equal(isHealthy(), false);
});
