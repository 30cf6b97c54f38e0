import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import PostalMime from 'postal-mime';
import { MailFailure, type Message, openMailer, removeMailFiles } from '../../../src/adapters/mail/mailer.ts';
import { newFolder } from '../../support/files.ts';
import { openInbox } from '../../support/inbox.ts';

const message: Message = {
  id: '7f6d',
  to: 'owner@example.com',
  subject: 'Contact request from Zoë (Ünïted)',
  text: `> Grüße, ${'long '.repeat(300)}\n>  two spaces\n.\nFrom here on\n`,
  replyTo: 'ada@example.org',
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
};
const signal = new AbortController().signal;

/** A mailer that writes files, or sends by SMTP to `smtpUrl`; `lines` is its log. */
function open(t: TestContext, settings: { smtpUrl?: string; from?: string; baseUrl?: string } = {}) {
  const directory = join(newFolder(t), 'mail');
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => void lines.push(line) };
  const defaults = { smtpUrl: undefined, from: undefined, baseUrl: 'https://profile.example/ada' };
  return { mailer: openMailer({ ...defaults, directory, log, ...settings }), directory, lines };
}

/** The failure of a delivery, without its cause. */
async function failureOf(sending: Promise<unknown>) {
  const error = await sending.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof MailFailure, String(error));
  const { message, isPermanent, isAboutContent } = error;
  return { message, isPermanent, isAboutContent };
}

suite('With a mail server', { concurrency: true }, () => {
  test('the owner gets the message, from the given sender', async (t) => {
    const { url, received } = await openInbox(t);
    const { mailer, lines } = open(t, { smtpUrl: url, from: 'me@example.com' });
    await mailer.send(message, signal);
    await mailer.send({ ...message, replyTo: 'zoë@example.org' }, signal);
    const [{ from, to, email } = assert.fail(), other] = received;
    assert.deepEqual([from, to], ['me@example.com', ['owner@example.com']]);
    assert.deepEqual(email.from, { address: 'me@example.com', name: 'candidate-profile' });
    assert.deepEqual(email.replyTo, [{ address: 'ada@example.org', name: '' }]);
    assert.deepEqual([email.subject, email.text, lines], [message.subject, message.text, []]);
    assert.equal(other!.email.replyTo, undefined, 'a server without SMTPUTF8 would refuse it');
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
    await open(t, { smtpUrl: `smtp://ada:se%40cret@127.0.0.1:${port}` }).mailer.send(message, signal);
    assert.deepEqual([received.length, logins], [1, ['ada', 'se@cret']]);
  });

  test('sending to one that never responds ends with the abort signal', async (t) => {
    const stop = new AbortController();
    const { url } = await openInbox(t, { onRcptTo: () => stop.abort() });
    const { mailer } = open(t, { smtpUrl: url });
    assert.equal((await failureOf(mailer.send(message, stop.signal))).message, 'EABORT');
  });

  test('one on loopback may have a self-signed certificate, and another gets nothing unencrypted', async (t) => {
    const { url, received } = await openInbox(t, { disabledCommands: [] });
    await open(t, { smtpUrl: url }).mailer.send(message, signal);
    assert.equal(received.length, 1);
    const { port } = await openInbox(t);
    const { mailer } = open(t, { smtpUrl: `smtp://0.0.0.0:${port}` }); // this machine, but by no loopback address
    assert.equal((await failureOf(mailer.send(message, signal))).message, 'ETLS 500');
  });
});

suite('Without a mail server', { concurrency: true }, () => {
  const read = (directory: string, name = readdirSync(directory)[0]!) => readFileSync(join(directory, name), 'utf8');

  test('a message is a file of the user that a mail program opens, with exactly these headers', async (t) => {
    const { mailer, directory, lines } = open(t);
    for (let n = 0; n < 2; n += 1) await mailer.send(message, signal);
    assert.deepEqual(readdirSync(directory), ['20261121T120000.000Z-7f6d.eml']);
    assert.deepEqual(lines, [[{ directory }, 'SMTP_URL is not set: each mail is written to a file']]);
    const modes = [directory, join(directory, '20261121T120000.000Z-7f6d.eml')].map(
      (path) => statSync(path).mode & 0o777,
    );
    assert.deepEqual(modes, [0o700, 0o600]);
    const email = await PostalMime.parse(read(directory));
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
    assert.deepEqual([email.headers.length, email.subject, email.text], [10, message.subject, message.text]);
    assert.doesNotMatch(read(directory), /(?<!\r)\n/);
  });

  test('a link can be copied from its file, whose text is plain unless a line is too long for a mail', async (t) => {
    const { mailer, directory } = open(t);
    const link = `http://127.0.0.1:3000/desk/sign-in?link=${'x'.repeat(43)}`;
    await mailer.send({ ...message, text: `Zoë, your link:\n\n${link}\n.\n` }, signal);
    assert.ok(read(directory).endsWith(`\r\n\r\nZoë, your link:\r\n\r\n${link}\r\n.\r\n`));
    await mailer.send({ ...message, text: `${'é'.repeat(500)}\n` }, signal);
    assert.match(read(directory), /^Content-Transfer-Encoding: quoted-printable\r$/m);
    assert.equal((await PostalMime.parse(read(directory))).text, `${'é'.repeat(500)}\n`);
  });

  test('the sender is at the host of the service, unless that is an IP address', async (t) => {
    for (const [baseUrl, host] of [
      ['https://1.example', '1.example'],
      ['http://host1:3000', 'host1'],
      ['http://192.0.2.1:3000', 'localhost'],
      ['http://[2001:db8::1]', 'localhost'],
    ] as const) {
      const { mailer, directory } = open(t, { baseUrl });
      await mailer.send(message, signal);
      assert.equal(/^From: .*<(.*)>\r$/m.exec(read(directory))?.[1], `candidate-profile@${host}`);
    }
  });

  test('the files of given mails and those older than an instant are removed, no others', async (t) => {
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
    const left = (...removed: string[]) => [names[2], 'broken.eml', ...others].filter((one) => !removed.includes(one!));
    assert.equal(await removeMailFiles(directory, { ids: ids.slice(0, 2) }), 2);
    assert.deepEqual(readdirSync(directory).sort(), left().sort());
    assert.equal(await removeMailFiles(directory, { ids: [], before: noon }), 2);
    assert.deepEqual(readdirSync(directory).sort(), left('before.eml', 'before.eml.part').sort());
  });
});
