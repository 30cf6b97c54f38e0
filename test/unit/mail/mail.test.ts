import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import PostalMime from 'postal-mime';
import { MailFailure, type Message, openMailer, removeMailFiles, verifySmtp } from '../../../src/adapters/mail/mail.ts';
import { hash } from '../../../src/adapters/node-crypto.ts';
import { toAccessNotice, toContactNotice, toEmail } from '../../../src/operations/notices.ts';
import { openInbox, refusal } from '../../support/inbox.ts';

const message: Message = {
  id: '7f6d',
  to: 'owner@example.com',
  subject: 'Contact request from Zoë (Ünïted)',
  text: `> Grüße, ${'long '.repeat(300)}\n>  two spaces\n.\nFrom here on\n`,
  replyTo: 'ada@example.org',
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
};
const signal = new AbortController().signal;

function open(t: TestContext, settings: { smtpUrl?: string; from?: string; baseUrl?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const directory = join(folder, 'mail');
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => void lines.push(line) };
  const baseUrl = 'https://profile.example/ada';
  const mailer = openMailer({ smtpUrl: undefined, from: undefined, baseUrl, directory, log, ...settings });
  return { mailer, directory, lines };
}

const failureOf = async (sending: Promise<void>) => {
  const error = await sending.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof MailFailure, String(error));
  const { message, isPermanent, isAboutContent } = error;
  return { message, isPermanent, isAboutContent };
};

suite('Without a mail server', () => {
  test('a message becomes one file that a mail program opens, with these headers and no others', async (t) => {
    const { mailer, directory } = open(t);
    await mailer.send(message, signal);

    assert.deepEqual(readdirSync(directory), ['20261121T120000.000Z-7f6d.eml']);
    const source = readFileSync(join(directory, '20261121T120000.000Z-7f6d.eml'));
    const email = await PostalMime.parse(source);
    assert.deepEqual(Object.fromEntries(email.headers.map(({ key, value }) => [key, value])), {
      from: '"candidate-profile" <candidate-profile@profile.example>',
      to: 'owner@example.com',
      'reply-to': 'ada@example.org',
      subject: '=?UTF-8?Q?Contact_request_from_Zo=C3=AB_=28=C3=9Cn?= =?UTF-8?Q?=C3=AFted=29?=',
      'message-id': '<7f6d@profile.example>',
      date: 'Sat, 21 Nov 2026 12:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
      'content-type': 'text/plain; charset=utf-8',
      'content-transfer-encoding': 'quoted-printable',
    });
    assert.equal(email.headers.length, 10);
    assert.equal(email.subject, 'Contact request from Zoë (Ünïted)');
    assert.equal(email.text, message.text);
    assert.doesNotMatch(source.toString(), /(?<!\r)\n/);
  });

  test('the id of a contact request or token is on one line as it is sent, alone and in a digest', async (t) => {
    const { mailer, directory } = open(t);
    const at = message.createdAt;
    const ids = Array.from({ length: 40 }, (_, n) => `contact_${String(n).padStart(32, '0')}`);
    const contacts = ids.map((id, n) => {
      const contact = {
        name: `Zoë ${'x'.repeat(n)}`,
        email: 'ada@example.org',
        company: 'Engines',
        message: `${n % 30}`,
      };
      return toContactNotice({ ...contact, id, subject: 'ada@example.org', receivedAt: at }, hash);
    });
    const jtis = ids.map((id) => id.replace('contact_', 'jti-'));
    const accesses = jtis.map((jti, n) => {
      const token = { jti, subject: `zoë${'x'.repeat(n)}@example.org`, issuedAt: at, expiresAt: at };
      return toAccessNotice(token, '192.0.2.1');
    });
    for (const [id, notices] of Object.entries({ single: contacts.slice(0, 1), messages: contacts, accesses }))
      await mailer.send({ ...message, ...toEmail(notices), id }, signal);
    const sources = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    for (const id of [...ids, ...jtis])
      assert.ok(
        sources.some((source) => source.includes(id)),
        id,
      );
    assert.ok(sources.every((source) => source.includes('quoted-printable')));
    assert.match(sources.find((source) => source.includes('<single@'))!, /^Request: contact_0{32}\r$/m);
  });

  test('the sender is at the host of the service, unless that is an address', async (t) => {
    const senderAt = async (baseUrl: string) => {
      const { mailer, directory } = open(t, { baseUrl });
      await mailer.send(message, signal);
      return /^From: .*<(.*)>\r$/m.exec(readFileSync(join(directory, readdirSync(directory)[0]!), 'utf8'))?.[1];
    };
    assert.equal(await senderAt('https://1.example'), 'candidate-profile@1.example');
    assert.equal(await senderAt('http://host1:3000'), 'candidate-profile@host1');
    assert.equal(await senderAt('http://192.0.2.1:3000'), 'candidate-profile@localhost');
    assert.equal(await senderAt('http://[2001:db8::1]'), 'candidate-profile@localhost');
  });

  test('a text in any script can be searched for in the file', async (t) => {
    const { mailer, directory } = open(t);
    await mailer.send({ ...message, text: `Request: contact_1\n${'Привет '.repeat(20)}` }, signal);
    assert.match(readFileSync(join(directory, readdirSync(directory)[0]!), 'utf8'), /^Request: contact_1\r$/m);
  });

  test('of the files those of some mails are removed, those from before an instant, and nothing else', async (t) => {
    const { directory } = open(t);
    assert.equal(await removeMailFiles(directory, { ids: [] }), 0);
    mkdirSync(directory);
    const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    const names = [`20261121T120000.000Z-${ids[0]}.eml`, `${ids[1]}.eml.part`, `${ids[2]}.eml`];
    const noon = message.createdAt;
    const others = ['before.eml', 'at noon.eml', 'before.eml.part', 'before.eml.txt', 'notes.txt'];
    for (const name of [...names, ...others]) {
      writeFileSync(join(directory, name), '');
      utimesSync(join(directory, name), noon, name.startsWith('before') ? new Date(noon.getTime() - 1) : noon);
    }
    symlinkSync('nowhere', join(directory, 'broken.eml'));
    assert.equal(await removeMailFiles(directory, { ids: ids.slice(0, 2) }), 2);
    assert.deepEqual(readdirSync(directory).sort(), [names[2], 'broken.eml', ...others].sort());
    assert.equal(await removeMailFiles(directory, { ids: [], before: noon }), 2);
    assert.deepEqual(
      readdirSync(directory).sort(),
      [names[2], 'broken.eml', 'at noon.eml', 'before.eml.txt', 'notes.txt'].sort(),
    );
  });

  test('nobody but the user may read the files', async (t) => {
    const { mailer, directory } = open(t);
    await mailer.send(message, signal);
    assert.equal((statSync(directory).mode & 0o777).toString(8), '700');
    assert.equal((statSync(join(directory, readdirSync(directory)[0]!)).mode & 0o777).toString(8), '600');
  });

  test('a message that is written again replaces the first', async (t) => {
    const { mailer, directory } = open(t);
    await mailer.send(message, signal);
    await mailer.send(message, signal);
    assert.deepEqual(readdirSync(directory), ['20261121T120000.000Z-7f6d.eml']);
  });

  test('one line of the log says where the files are', async (t) => {
    const { mailer, directory, lines } = open(t);
    await mailer.send(message, signal);
    assert.deepEqual(lines, [[{ directory }, 'SMTP_URL is not set: each mail is written to a file']]);
  });

  test('a folder that cannot be written is a failure to try again after', async (t) => {
    const { mailer, directory } = open(t);
    writeFileSync(directory, 'in the way');
    assert.deepEqual(await failureOf(mailer.send(message, signal)), {
      message: 'EEXIST',
      isPermanent: false,
      isAboutContent: false,
    });
  });
});

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

  test('an answer has nowhere to go where there is nobody to answer', async (t) => {
    const { url, received } = await openInbox(t);
    await open(t, { smtpUrl: url }).mailer.send({ ...message, replyTo: null }, signal);
    assert.equal(received[0]?.email.replyTo, undefined);
  });

  test("a sender's address that the server could refuse does not keep the message from the owner", async (t) => {
    const { url, received } = await openInbox(t);
    const { mailer } = open(t, { smtpUrl: url });
    await mailer.send({ ...message, replyTo: 'zoë@example.org' }, signal);
    await mailer.send({ ...message, replyTo: 'zoe@bücher.example' }, signal);
    assert.deepEqual(
      received.map(({ email }) => email.replyTo?.[0]?.address),
      [undefined, 'zoe@xn--bcher-kva.example'],
    );
  });

  test('a subject adds no header and no recipient, whatever it holds', async (t) => {
    const { url, received } = await openInbox(t);
    const subject = 'Hi\r\nBcc: third@example.net\n\nbody\u2028X: y\0';
    await open(t, { smtpUrl: url }).mailer.send({ ...message, subject }, signal);

    const [{ to, email } = assert.fail()] = received;
    assert.deepEqual(to, ['owner@example.com']);
    assert.equal(email.subject, 'Hi Bcc: third@example.net body X: y');
    assert.equal(email.headers.length, 10);
    assert.equal(email.bcc, undefined);
  });

  test('a subject is not decoded, as if a mail program had encoded it', async (t) => {
    const { url, received } = await openInbox(t);
    await open(t, { smtpUrl: url }).mailer.send({ ...message, subject: 'Hi =?UTF-8?Q?there?=' }, signal);
    assert.equal(received[0]?.email.subject, 'Hi =\\u{3f}UTF-8?Q?there?=');
  });

  test('whether a server can be used is known without sending anything', async (t) => {
    const { url, port, received } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(refusal(535, '5.7.8 bad password')),
    });
    await verifySmtp(url);
    assert.equal(received.length, 0);
    assert.deepEqual(await failureOf(verifySmtp(`smtp://ada:wrong@127.0.0.1:${port}`)), {
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

  test('a server on this machine may encrypt with a certificate of its own', async (t) => {
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

  test('a refusal for now is not for good, and its text repeats no address', async (t) => {
    assert.deepEqual(await sendTo(t, 451, '4.7.1 <owner@example.com>: greylisted'), {
      message: 'EENVELOPE 451 4.7.1',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('a refusal for good is', async (t) => {
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
    test(`a refusal of what a message says is known as that: ${code}`, async (t) => {
      const { url } = await openInbox(t, { answer: () => Promise.reject(refusal(code, reply)) });
      const { mailer } = open(t, { smtpUrl: url });
      const failure = await mailer.send(message, signal).catch((error: unknown) => error);
      assert.ok(failure instanceof MailFailure);
      const { name, message: said, isAboutContent, cause } = failure;
      assert.deepEqual([name, said, isAboutContent], ['MailFailure', text, true]);
      assert.equal(failure.isPermanent, isPermanent);
      assert.match(String(cause), new RegExp(reply));
    });

  test('a refused login is for the owner to mend, and says nothing about the message', async (t) => {
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

  test('a server that is not there is a failure to try again after', async (t) => {
    const { mailer } = open(t, { smtpUrl: 'smtp://127.0.0.1:1' });
    assert.deepEqual(await failureOf(mailer.send(message, signal)), {
      message: 'ESOCKET',
      isPermanent: false,
      isAboutContent: false,
    });
  });

  test('a server that never answers is left when the sender is told to stop', async (t) => {
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
