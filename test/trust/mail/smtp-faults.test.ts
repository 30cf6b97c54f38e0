import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { MailFailure, openMailer } from '../../../src/adapters/mail/mailer.ts';
import { isFull, report, scaled } from '../../support/figures.ts';
import { fixture } from '../../support/files.ts';
import { openInbox } from '../../support/inbox.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

const message = {
  ...{ id: '7f6d', to: 'owner@example.com', subject: 'Hello', text: 'Hello\n', replyTo: null },
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
};
const silence = () => {};
const cut = (socket: Socket) => void socket.destroy();
const drip = (socket: Socket) => {
  const timer = setInterval(() => socket.write('2'), 500);
  socket.on('close', () => clearInterval(timer));
};
const brokenHandshake = (socket: Socket) => {
  socket.removeAllListeners('data').once('data', () => socket.end('not a handshake\r\n'));
  socket.write('220 2.0.0 go ahead\r\n');
};

/** What a mail server replies, or does, at a command, in the middle of the message ("content") or after it. */
type Fault = readonly [step: string, does: string | ((socket: Socket) => void)];

/** How a mail server fails, the text of the failure, and what it is about: the content (c), for good (p). */
const faults: readonly (readonly [string, Fault, RegExp, ('c' | 'p' | 'cp' | 'slow')?])[] = [
  ['it sends no greeting', ['greeting', silence], /^ETIMEDOUT$/, 'slow'],
  ['it greets by a character every half second', ['greeting', drip], /^ETIMEDOUT$/, 'slow'],
  ['it greets in another protocol', ['greeting', 'HTTP/1.1 400 Bad Request'], /^EPROTOCOL/],
  ['it greets by 421', ['greeting', '421 4.3.2 too busy'], /^EPROTOCOL 421 4\.3\.2$/],
  ['it greets by 554', ['greeting', '554 5.3.2 no service'], /^EPROTOCOL 554 5\.3\.2$/],
  ['its TLS handshake is broken', ['STARTTLS', brokenHandshake], /^ESOCKET/],
  ['it refuses the login', ['AUTH', '535 5.7.8 me: bad'], /^EAUTH 535 5\.7\.8$/],
  ['451 at MAIL', ['MAIL', '451 4.3.0 later'], /^EENVELOPE 451 4\.3\.0$/],
  ['450 at RCPT (greylisting)', ['RCPT', '450 4.7.1 <owner@example.com>'], /^EENVELOPE 450 4\.7\.1$/],
  ['550 at RCPT', ['RCPT', '550 No such user owner@example.com'], /^EENVELOPE 550$/, 'p'],
  ['no reply at RCPT', ['RCPT', silence], /^ETIMEDOUT$/, 'slow'],
  ['451 at DATA', ['DATA', '451 4.3.0 later'], /^EENVELOPE 451 4\.3\.0$/],
  ['it cuts the connection in the middle of the message', ['content', cut], /^E(CONNECTION|SOCKET)$/],
  ['452 after the message', ['message', '452 4.10.25 later'], /^EMESSAGE 452 4\.10\.25$/, 'c'],
  ['554 after the message', ['message', '554 not wanted'], /^EMESSAGE 554$/, 'cp'],
  ['its acknowledgement is lost', ['message', cut], /^E(CONNECTION|SOCKET)$/],
];

/** Opens a mail server that takes each message, but for its fault; returns its port. */
async function openFaulty(t: TestContext, [faultyStep, does]: Fault): Promise<number> {
  const extension = faultyStep === 'STARTTLS' ? '250-STARTTLS\r\n' : '';
  const replies: Record<string, string> = {
    EHLO: `250-mail.example\r\n${extension}250 AUTH PLAIN`,
    AUTH: '235 2.7.0 welcome',
    DATA: '354 go on',
  };
  const server = createServer((socket) => {
    let isContent = false;
    const reply = (step: string, usual: string) => {
      if (step !== faultyStep) socket.write(`${usual}\r\n`);
      else if (typeof does === 'string') socket.write(`${does}\r\n`);
      else does(socket);
    };
    socket.on('error', () => {});
    reply('greeting', '220 mail.example ESMTP');
    createInterface({ input: socket }).on('line', (line) => {
      const step = isContent ? 'content' : line.split(' ')[0]!.toUpperCase();
      isContent = (isContent && line !== '.') || (step === 'DATA' && faultyStep !== 'DATA');
      if (step !== 'content') reply(step, replies[step] ?? '250 2.0.0 fine');
      else if (line === '.') reply('message', '250 2.0.0 taken');
      else if (faultyStep === 'content') cut(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

suite('A mail server fails', { concurrency: true }, () => {
  for (const [title, fault, text, about = ''] of faults.filter(([, , , about]) => isFull || about !== 'slow'))
    test(`${title}: the failure says whether to try again, and names no address [TRUST-30]`, async (t) => {
      const smtpUrl = `smtp://me:secret@127.0.0.1:${await openFaulty(t, fault)}`;
      const mailer = openMailer({ smtpUrl, from: undefined, baseUrl: 'http://x', directory: '', log: { info() {} } });
      const failure = await mailer.send(message, new AbortController().signal).catch((error: unknown) => error);
      assert.ok(failure instanceof MailFailure);
      assert.match(failure.message, text);
      assert.ok(failure.cause instanceof Error);
      assert.deepEqual([failure.isPermanent, failure.isAboutContent], [about.includes('p'), about.includes('c')]);
    });
});

test('while it never replies, requests are answered and SIGTERM ends the service; later all mail arrives [TRUST-30] [TRUST-31]', async (t) => {
  let isSilent = true;
  let attempts = 0;
  const { url: SMTP_URL, received } = await openInbox(t, {
    onRcptTo(_address, _session, callback) {
      attempts += 1;
      if (!isSilent) callback();
    },
  });
  const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off', SMTP_URL };
  const service = await startProcess(t, env);
  for (let n = 0; n < scaled(400, 4); n += 1) await service.token(`visitor${n}@example.org`);
  await eventually(() => attempts > 0);
  service.kill('SIGTERM');
  assert.equal(await service.exited(), 0);

  isSilent = false;
  await startProcess(t, env, service.folder);
  using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
  const mails = () => database.prepare('select id, sent_at from outbox').all() as { id: string; sent_at: string }[];
  await eventually(() => mails().every(({ sent_at }) => sent_at !== null));
  const ids = mails().map(({ id }) => `<${id}@localhost>`);
  assert.deepEqual(received.map(({ email }) => email.messageId).sort(), ids.sort());
  report('SMTP faults', `${faults.length} modes: each failure says whether to try again; SIGTERM ends with 0`);
});
