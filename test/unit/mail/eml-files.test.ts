import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { removeMailFiles } from '../../../src/adapters/mail/mailer.ts';
import { hash } from '../../../src/adapters/node-crypto.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toEmail } from '../../../src/operations/digest.ts';
import { toAccessNotice, toContactNotice } from '../../../src/operations/notices.ts';
import { failureOf, message, open, signal } from './mail-setup.ts';

test('a message is written to one file that a mail program opens, with exactly these headers', async (t) => {
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

test('a link can be copied from a file, whose text is as it was written unless a line is too long for a mail', async (t) => {
  const { mailer, directory } = open(t);
  const link = `http://127.0.0.1:3000/desk/sign-in?link=${'x'.repeat(43)}`;
  await mailer.send({ ...message, text: `Zoë, your link:\n\n${link}\n.\n` }, signal);
  const sourceOf = (id: string) => readFileSync(join(directory, `20261121T120000.000Z-${id}.eml`), 'utf8');
  assert.ok(sourceOf('7f6d').endsWith(`\r\n\r\nZoë, your link:\r\n\r\n${link}\r\n.\r\n`));
  await mailer.send({ ...message, id: 'long', text: `${'é'.repeat(500)}\n` }, signal);
  assert.match(sourceOf('long'), /^Content-Transfer-Encoding: quoted-printable\r$/m);
  assert.equal((await PostalMime.parse(sourceOf('long'))).text, `${'é'.repeat(500)}\n`);
});

test('the id of a contact request or token is not broken across lines, alone or in a digest', async (t) => {
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
    return toContactNotice({ ...contact, id, subject: byAddress('ada@example.org'), receivedAt: at }, hash);
  });
  const jtis = ids.map((id) => id.replace('contact_', 'jti-'));
  const accesses = jtis.map((jti, n) => {
    const token = { jti, subject: byAddress(`zoë${'x'.repeat(n)}@example.org`), issuedAt: at, expiresAt: at };
    return toAccessNotice(token, '192.0.2.1');
  });
  for (const [id, notices] of Object.entries({ single: contacts.slice(0, 1), messages: contacts, accesses }))
    await mailer.send(
      {
        ...message,
        ...toEmail(notices, {
          baseUrl: 'https://profile.example',
          candidateName: 'Lena Vasquez',
          readerIdOf: (address) => `of-${address}`,
        }),
        id,
      },
      signal,
    );
  const sources = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  for (const id of [...ids, ...jtis])
    assert.ok(
      sources.some((source) => source.includes(id)),
      id,
    );
  assert.match(sources.find((source) => source.includes('<single@'))!, /^Request: contact_0{32}\r$/m);
});

test('the sender is at the host of the service, unless that is an IP address', async (t) => {
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

test('ASCII in a text of any script can be found in the file', async (t) => {
  const { mailer, directory } = open(t);
  await mailer.send({ ...message, text: `Request: contact_1\n${'Привет '.repeat(20)}` }, signal);
  assert.match(readFileSync(join(directory, readdirSync(directory)[0]!), 'utf8'), /^Request: contact_1\r$/m);
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
  assert.equal(await removeMailFiles(directory, { ids: ids.slice(0, 2) }), 2);
  assert.deepEqual(readdirSync(directory).sort(), [names[2], 'broken.eml', ...others].sort());
  assert.equal(await removeMailFiles(directory, { ids: [], before: noon }), 2);
  assert.deepEqual(
    readdirSync(directory).sort(),
    [names[2], 'broken.eml', 'at noon.eml', 'before.eml.txt', 'notes.txt'].sort(),
  );
});

test('only the user may read the files', async (t) => {
  const { mailer, directory } = open(t);
  await mailer.send(message, signal);
  assert.equal((statSync(directory).mode & 0o777).toString(8), '700');
  assert.equal((statSync(join(directory, readdirSync(directory)[0]!)).mode & 0o777).toString(8), '600');
});

test('a message that is sent again replaces its file', async (t) => {
  const { mailer, directory } = open(t);
  await mailer.send(message, signal);
  await mailer.send(message, signal);
  assert.deepEqual(readdirSync(directory), ['20261121T120000.000Z-7f6d.eml']);
});

test('one log line says where the files are', async (t) => {
  const { mailer, directory, lines } = open(t);
  await mailer.send(message, signal);
  assert.deepEqual(lines, [[{ directory }, 'SMTP_URL is not set: each mail is written to a file']]);
});

test('a folder that cannot be written is a temporary failure', async (t) => {
  const { mailer, directory } = open(t);
  writeFileSync(directory, 'in the way');
  assert.deepEqual(await failureOf(mailer.send(message, signal)), {
    message: 'EEXIST',
    isPermanent: false,
    isAboutContent: false,
  });
});
