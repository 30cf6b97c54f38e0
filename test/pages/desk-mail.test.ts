import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox } from '../support/inbox.ts';
import { textOf } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';

/** Opens a service whose one e-mail, about a request for access, has been sent. */
async function openDesk(t: { after(close: () => Promise<void>): void }, env: Record<string, string> = {}) {
  const service = await openTestService({ OWNER_EMAIL: 'lena@vasquez.dev', ...env });
  t.after(service.close);
  const desk = await signIn(service);
  const database = `${service.folder}/candidate-profile.db`;
  const mail = async () => textOf(await (await desk.get('/desk/mail')).text());
  const isSent = () => rowsOf(database, 'select id from outbox where sent_at is null').length === 0;
  return { service, desk, database, mail, isSent };
}

const dead = "update outbox set sent_at = null, due_at = null, attempts = 20, last_error = 'EMESSAGE 554 5.7.1'";

test('nothing waits: the page says so, where mail goes and how much of the hour is used', async (t) => {
  const { service, mail, isSent } = await openDesk(t, { LIMITS: '1' });
  await eventually(isSent);
  const text = await mail();
  assert.match(
    text,
    /^Mail Nothing waits Notices to lena@vasquez\.dev are written to files on the machine that this site runs on, /,
  );
  assert.match(
    text,
    new RegExp(`in this folder\\. The setting SMTP_URL names a mail server\\. ${service.folder}/mail Copy`),
  );
  assert.match(text, /E-mails within the hour: 1 of 30\. The last one has all that waits\./);
  assert.match(text, /No e-mail waits\./);
});

test('the mail server is named, its password never', async (t) => {
  const { desk } = await openDesk(t, { SMTP_URL: 'smtp://lena:secret-word@127.0.0.1:1' });
  const page = await (await desk.get('/desk/mail')).text();
  assert.match(textOf(page), /Notices go to lena@vasquez\.dev by the mail server 127\.0\.0\.1\./);
  assert.doesNotMatch(page, /secret-word|lena:/);
});

test('a notice that waits says why and until when', async (t) => {
  const { database, mail, isSent } = await openDesk(t);
  await eventually(isSent);
  const due = new Date(Date.now() + 29.5 * 60_000).toISOString();
  rowsOf(database, `update outbox set sent_at = null, due_at = '${due}', attempts = 2, last_error = 'ECONNECTION'`);
  assert.match(
    await mail(),
    /Waiting A request for access, just now\. The last attempt failed; the next is in 29 min\. The mail server cannot be reached \(ECONNECTION\)\./,
  );
});

test('a dead letter says what the server answered, is marked in the bar, and is sent again on request', async (t) => {
  const { desk, database, mail, isSent } = await openDesk(t);
  await eventually(isSent);
  rowsOf(database, dead);
  assert.match(
    await mail(),
    /Given up .* A request for access, just now\. The mail server refused the e-mail \(EMESSAGE 554 5\.7\.1\)\. 20 attempts\. Try again/,
  );
  assert.match(await (await desk.get('/desk')).text(), />Mail<sup>1</);
  const [row] = rowsOf(database, 'select id from outbox');
  const retried = await desk.post('/desk/mail/retry', { id: String(row!.id) }, '/desk/mail');
  assert.equal(retried.headers.get('location'), '/desk/mail?queued=1');
  await eventually(isSent);
  assert.match(textOf(await (await desk.get('/desk/mail?queued=1')).text()), /1 e-mail will be sent again now\./);
});

test('a notice leads to the page of its reader', async (t) => {
  const { url, received } = await openInbox(t);
  const { service, desk } = await openDesk(t, { SMTP_URL: url, MAIL_FROM: 'site@vasquez.dev' });
  await service.post('/contact', { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' });
  await eventually(() => received.length === 2);
  for (const { from, to, email } of received) {
    assert.deepEqual([from, to], ['site@vasquez.dev', ['lena@vasquez.dev']]);
    const [, path = ''] = /: http:\/\/127\.0\.0\.1:3000(\/desk\/readers\/\S+)$/m.exec(email.text!)!;
    assert.match(textOf(await (await desk.get(path)).text()), /^Readers visitor@example\.org/);
  }
});

test('the owner chooses notices at once or daily, for access and messages, and cannot turn them off', async (t) => {
  const { service, desk, mail } = await openDesk(t, { LIMITS: '1' });
  const chosen = async () =>
    [...(await (await desk.get('/desk/mail')).text()).matchAll(/name="(\w+_request)" value="(\w+)" checked/g)].map(
      ([, kind, schedule]) => `${kind} ${schedule}`,
    );
  assert.deepEqual(await chosen(), ['contact_request at_once', 'auth_request at_once']);
  const choice = { contact_request: 'at_once', auth_request: 'daily' };
  const saved = await desk.post('/desk/mail/schedules', choice, '/desk/mail');
  assert.equal(saved.headers.get('location'), '/desk/mail?saved#schedules');
  assert.deepEqual(await chosen(), ['contact_request at_once', 'auth_request daily']);
  assert.match(await mail(), /is sent at 08:00 in the time zone of the server, next on \d+ \w+ at \d\d:\d\d\./);
  for (const schedule of ['off', ''])
    assert.equal(
      (await desk.post('/desk/mail/schedules', { contact_request: schedule, auth_request: 'daily' })).status,
      400,
    );
  await service.ask('/auth/token', postJson({ email: 'ada@example.org' }));
  assert.match(await mail(), /A request for access, just now\. It is sent with the daily e-mail, /);
  await desk.post('/desk/mail/schedules', { contact_request: 'daily', auth_request: 'at_once' }, '/desk/mail');
  await eventually(async () => /Nothing waits/.test(await mail()));
});
