import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifySmtp } from '../../../src/commands/doctor/verify-smtp.ts';
import { openInbox, refusal } from '../../support/inbox.ts';

test('a mail server is asked whether it takes a mail, and gets none', async (t) => {
  const commands: string[] = [];
  const debug = (_: object, direction: string, line: string) =>
    void (direction === 'C:' && commands.push(line.replace(/^EHLO.*/, 'EHLO')));
  const quiet = () => {};
  const { url, port, received } = await openInbox(t, {
    allowInsecureAuth: true,
    onAuth: (_auth, _session, callback) => callback(refusal(535, '5.7.8 bad password')),
    onMailFrom: ({ address }, _session, callback) =>
      callback(address === 'me@example.com' ? null : refusal(553, '5.7.1 not yours')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === 'owner@bücher.example' ? null : refusal(450, '4.2.0 later')),
    logger: { debug, info: quiet, error: quiet, warn: quiet, trace: quiet, fatal: quiet, level: quiet },
  });
  const envelope = { from: 'me@example.com', to: 'owner@bücher.example' };
  assert.equal(await verifySmtp(url, envelope), null);
  const sender = 'MAIL FROM:<me@example.com>';
  assert.deepEqual(commands.slice(0, 4), ['EHLO', sender, 'RCPT TO:<owner@xn--bcher-kva.example>', 'RSET']);
  assert.equal(await verifySmtp(url, { ...envelope, to: undefined }), null);
  const notYours = { role: 'sender', address: 'you@example.com', reply: '553 5.7.1 not yours', isPermanent: true };
  assert.deepEqual(await verifySmtp(url, { ...envelope, from: 'you@example.com' }), notYours);
  const later = { role: 'recipient', address: 'no@example.com', reply: '450 4.2.0 later', isPermanent: false };
  assert.deepEqual(await verifySmtp(url, { ...envelope, to: 'no@example.com' }), later);
  assert.equal(received.length, 0);
  const wrong = verifySmtp(`smtp://ada:wrong@127.0.0.1:${port}`, envelope);
  await assert.rejects(wrong, { name: 'MailFailure', message: 'EAUTH 535 5.7.8' });
});
