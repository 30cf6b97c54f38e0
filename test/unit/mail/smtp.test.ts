import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { MailFailure, verifySmtp } from '../../../src/adapters/mail/mailer.ts';
import { openInbox, refusal } from '../../support/inbox.ts';
import { failureOf, message, open, signal } from './mail-setup.ts';

suite('With a mail server', { concurrency: true }, () => {
  test('the owner gets the message, from the given sender', async (t) => {
    const { url, received } = await openInbox(t);
    const { mailer, lines } = open(t, { smtpUrl: url, from: 'me@example.com' });
    await mailer.send(message, signal);

    const [{ from, to, email } = assert.fail()] = received;
    assert.equal(from, 'me@example.com');
    assert.deepEqual(to, ['owner@example.com']);
    assert.deepEqual(email.from, { address: 'me@example.com', name: 'candidate-profile' });
    assert.deepEqual(email.replyTo, [{ address: 'ada@example.org', name: '' }]);
    assert.equal(email.subject, 'Contact request from Zoë (Ünïted)');
    assert.equal(email.text, message.text);
    assert.deepEqual(lines, []);
  });

  test('a message without a sender has no Reply-To', async (t) => {
    const { url, received } = await openInbox(t);
    await open(t, { smtpUrl: url }).mailer.send({ ...message, replyTo: null }, signal);
    assert.equal(received[0]?.email.replyTo, undefined);
  });

  test("a sender's address that the server could refuse is left out, and the message delivered", async (t) => {
    const { url, received } = await openInbox(t);
    const { mailer } = open(t, { smtpUrl: url });
    await mailer.send({ ...message, replyTo: 'zoë@example.org' }, signal);
    await mailer.send({ ...message, replyTo: 'zoe@bücher.example' }, signal);
    assert.deepEqual(
      received.map(({ email }) => email.replyTo?.[0]?.address),
      [undefined, 'zoe@xn--bcher-kva.example'],
    );
  });

  test('a subject cannot add a header or a recipient', async (t) => {
    const { url, received } = await openInbox(t);
    const subject = 'Hi\r\nBcc: third@example.net\n\nbody\u2028X: y\0';
    await open(t, { smtpUrl: url }).mailer.send({ ...message, subject }, signal);

    const [{ to, email } = assert.fail()] = received;
    assert.deepEqual(to, ['owner@example.com']);
    assert.equal(email.subject, 'Hi Bcc: third@example.net body X: y');
    assert.equal(email.headers.length, 10);
    assert.equal(email.bcc, undefined);
  });

  test('a subject that looks like an encoded word is not decoded', async (t) => {
    const { url, received } = await openInbox(t);
    await open(t, { smtpUrl: url }).mailer.send({ ...message, subject: 'Hi =?UTF-8?Q?there?=' }, signal);
    assert.equal(received[0]?.email.subject, 'Hi =\\u{3f}UTF-8?Q?there?=');
  });

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
    assert.deepEqual(commands.slice(0, 4), [
      'EHLO',
      'MAIL FROM:<me@example.com>',
      'RCPT TO:<owner@xn--bcher-kva.example>',
      'RSET',
    ]);
    assert.equal(await verifySmtp(url, { ...envelope, to: undefined }), null);
    assert.deepEqual(await verifySmtp(url, { ...envelope, from: 'you@example.com' }), {
      role: 'sender',
      address: 'you@example.com',
      reply: '553 5.7.1 not yours',
      isPermanent: true,
    });
    assert.deepEqual(await verifySmtp(url, { ...envelope, to: 'nobody@example.com' }), {
      role: 'recipient',
      address: 'nobody@example.com',
      reply: '450 4.2.0 later',
      isPermanent: false,
    });
    assert.equal(received.length, 0);
    assert.deepEqual(await failureOf(verifySmtp(`smtp://ada:wrong@127.0.0.1:${port}`, envelope)), {
      message: 'EAUTH 535 5.7.8',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('the user name and password of SMTP_URL are used', async (t) => {
    const logins: unknown[] = [];
    const { port, received } = await openInbox(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        logins.push(username, password);
        callback(null, { user: 'ada' });
      },
    });
    const { mailer } = open(t, { smtpUrl: `smtp://ada:se%40cret@127.0.0.1:${port}` });
    await mailer.send(message, signal);
    assert.equal(received.length, 1);
    assert.deepEqual(logins, ['ada', 'se@cret']);
  });

  test('a server on loopback may use a self-signed certificate', async (t) => {
    const { url, received } = await openInbox(t, { disabledCommands: [] });
    await open(t, { smtpUrl: url }).mailer.send(message, signal);
    assert.equal(received.length, 1);
  });

  test('a server elsewhere gets nothing unless the connection is encrypted', async (t) => {
    const { port, received } = await openInbox(t);
    const { mailer } = open(t, { smtpUrl: `smtp://0.0.0.0:${port}` }); // this machine, but by no loopback address
    assert.deepEqual(await failureOf(mailer.send(message, signal)), {
      message: 'ETLS 500',
      isPermanent: false,
      isAboutContent: false,
    });
    assert.equal(received.length, 0);
  });
});

suite('A message that is refused', { concurrency: true }, () => {
  const sendTo = async (t: TestContext, code: number, reply: string) => {
    const { url } = await openInbox(t, { onRcptTo: (_address, _session, callback) => callback(refusal(code, reply)) });
    return failureOf(open(t, { smtpUrl: url }).mailer.send(message, signal));
  };

  test('a 4xx refusal is temporary, and the failure has no address in its text', async (t) => {
    assert.deepEqual(await sendTo(t, 451, '4.7.1 <owner@example.com>: greylisted'), {
      message: 'EENVELOPE 451 4.7.1',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('a 5xx refusal is permanent', async (t) => {
    assert.deepEqual(await sendTo(t, 550, 'No such user owner@example.com'), {
      message: 'EENVELOPE 550',
      isPermanent: true,
      isAboutContent: false,
    });
  });

  for (const [code, reply, text, isPermanent] of [
    [400, 'later', 'EMESSAGE 400', false],
    [452, '4.10.25 later', 'EMESSAGE 452 4.10.25', false],
    [500, 'never', 'EMESSAGE 500', true],
  ] as const)
    test(`a refusal of the content is reported as such: ${code}`, async (t) => {
      const { url } = await openInbox(t, { answer: () => Promise.reject(refusal(code, reply)) });
      const { mailer } = open(t, { smtpUrl: url });
      const failure = await mailer.send(message, signal).catch((error: unknown) => error);
      assert.ok(failure instanceof MailFailure);
      const { name, message: said, isAboutContent, cause } = failure;
      assert.deepEqual([name, said, isAboutContent], ['MailFailure', text, true]);
      assert.equal(failure.isPermanent, isPermanent);
      assert.match(String(cause), new RegExp(reply));
    });

  test('a refused login is temporary, because it is not about the message', async (t) => {
    const { port } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(refusal(535, '5.7.8 ada: bad password')),
    });
    const { mailer } = open(t, { smtpUrl: `smtp://ada:wrong@127.0.0.1:${port}` });
    assert.deepEqual(await failureOf(mailer.send(message, signal)), {
      message: 'EAUTH 535 5.7.8',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('an unreachable server is a temporary failure', async (t) => {
    const { mailer } = open(t, { smtpUrl: 'smtp://127.0.0.1:1' });
    assert.deepEqual(await failureOf(mailer.send(message, signal)), {
      message: 'ESOCKET',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('sending to a server that never responds ends with the abort signal', async (t) => {
    const stop = new AbortController();
    const { url } = await openInbox(t, { onRcptTo: () => stop.abort() });
    const { mailer } = open(t, { smtpUrl: url });
    assert.deepEqual(await failureOf(mailer.send(message, stop.signal)), {
      message: 'EABORT',
      isPermanent: false,
      isAboutContent: false,
    });
  });
});
