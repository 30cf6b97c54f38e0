import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fixture } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, startProcess } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const PROFILE = fixture('profile.yaml');

type Service = Awaited<ReturnType<typeof startProcess>>;

const openDatabase = ({ folder }: Service) => openSqliteFile(join(folder, 'data/candidate-profile.db'));

const rowsOf = (service: Service, query: string) => {
  using database = openDatabase(service);
  return database.prepare(query).all() as Record<string, string>[];
};

const kill = async (service: Service) => {
  service.kill('SIGKILL');
  await service.exited();
};

/** Makes all mail due, as if the lease of the killed process and all retry delays were over. */
const passTime = (service: Service) => {
  using database = openDatabase(service);
  database.exec('delete from leases; update outbox set due_at = created_at where due_at is not null');
};

const isAllSent = (service: Service) => rowsOf(service, 'select id from outbox where sent_at is null').length === 0;

const sendContact = (url: string, token: string, contact: object) =>
  fetch(`${url}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));

suite('Nothing that was acknowledged is lost', { concurrency: true }, () => {
  test('if the process is killed during a delivery, each mail arrives after the restart with its Message-ID [EVENT-1] [REST-3]', async (t) => {
    const tries: (string | undefined)[] = [];
    const hanging = await openInbox(t, { answer: ({ messageId }) => new Promise(() => tries.push(messageId)) });
    const killed = await startProcess(t, { PROFILE, SMTP_URL: hanging.url });
    const token = await killed.token('zoe@example.org');
    await eventually(() => tries.length > 0);
    const response = await sendContact(killed.url, token, {
      name: 'Zoë',
      email: 'Zoe@Example.ORG',
      company: 'Ünïted',
      message: 'Hello,\n\u{202e}shall we talk?',
    });
    await kill(killed);
    assert.equal(response.status, 201);
    const { id } = (await response.json()) as { id: string };
    const contacts = rowsOf(killed, 'select id, message, subject from contacts');
    assert.deepEqual(
      contacts.map((row) => ({ ...row })),
      [{ id, message: 'Hello,\n\u{202e}shall we talk?', subject: 'zoe@example.org' }],
    );

    passTime(killed);
    const { url, received } = await openInbox(t);
    const restarted = await startProcess(t, { PROFILE, SMTP_URL: url, MAIL_FROM: 'me@example.com' }, killed.folder);
    await eventually(() => isAllSent(restarted));

    assert.deepEqual(
      received.map(({ from, to, email }) => [from, to, email.subject]),
      [
        // Contact requests are sent before requests for access.
        ['me@example.com', ['owner@example.org'], 'Contact request from Zoë (Ünïted)'],
        ['me@example.com', ['owner@example.org'], 'zoe@example.org asked for access to your profile'],
      ],
    );
    const [contact, request] = received.map(({ email }) => email);
    assert.match(request?.messageId ?? '', /^<[0-9a-f-]{36}@localhost>$/);
    assert.deepEqual(tries, [request?.messageId]);
    assert.notEqual(contact?.messageId, request?.messageId);
    assert.match(contact?.text ?? '', new RegExp(`^Request: ${id}$`, 'm'));
    assert.match(contact?.text ?? '', /\n> \\u\{202e\}shall we talk\?\n/);
  });
});
