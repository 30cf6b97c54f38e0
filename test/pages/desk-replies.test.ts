import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { byAddress } from '../../src/model/visitor.ts';
import { rowsOf, testOnSqlite } from '../support/database.ts';
import { formPost, signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox, refusal } from '../support/inbox.ts';
import { hiddenField, textOf } from '../support/pages.ts';
import { eventually } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const grace = {
  name: 'Grace Hopper',
  email: 'grace@example.org',
  company: 'Eckert–Mauchly',
  message: 'We are hiring.\nCall me?',
};

/** A service with a mail server and a message, its notice sent, and the owner at the desk. */
async function openDesk(
  t: TestContext,
  { env = {}, contact = {}, ...smtp }: { env?: object; contact?: object } & Parameters<typeof openInbox>[1] = {},
) {
  const inbox = await openInbox(t, smtp);
  const service = await openTestService({
    OWNER_EMAIL: 'lena@vasquez.dev',
    MAIL_FROM: 'site@vasquez.dev',
    SMTP_URL: inbox.url,
    ...env,
  });
  t.after(service.close);
  const sent = await service.post('/contact', { ...grace, ...contact });
  assert.equal(sent.status, 201);
  const { id } = (await sent.json()) as { id: string };
  const path = `/desk/inbox/${id}`;
  const desk = await signIn(service);
  const database = `${service.folder}/candidate-profile.db`;
  await eventually(() => rowsOf(database, 'select id from outbox where sent_at is null').length === 0);
  const notices = inbox.received.splice(0);
  const page = async () => (await desk.get(path)).text();
  return {
    ...{ service, desk, inbox, id, path, database, page },
    notice: notices.find(({ email }) => email.subject?.startsWith('Contact request'))?.email,
    text: async () => textOf(await page()),
    /** Sends the form of a page, the one at this moment unless given, as a browser does. */
    async reply(reply: string, from?: string) {
      const shown = from ?? (await page());
      const fields = { form_token: hiddenField(shown, 'form_token'), key: hiddenField(shown, 'key'), reply };
      return service.ask(`${path}/reply`, formPost(fields, { cookie: desk.cookie }));
    },
    replies: () => inbox.received.filter(({ email }) => email.subject === 'Re: your message'),
  };
}

test('a reply goes by mail to the address of the message, and its answer to the owner', async (t) => {
  const { reply, replies, notice, text, page, path, service } = await openDesk(t);
  assert.doesNotMatch(await text(), /Your replies|Sent /);
  const answered = await reply('Dear Grace,\r\n\r\nyes. Tomorrow?\r\n');
  assert.equal(answered.headers.get('location'), `${path}#replies`);
  await eventually(() => replies().length === 1);
  const [{ from, to, email }] = replies() as [ReturnType<typeof replies>[number]];
  assert.deepEqual([from, to], ['site@vasquez.dev', ['grace@example.org']]);
  assert.deepEqual(email.from, { name: 'Tess Example', address: 'site@vasquez.dev' });
  assert.deepEqual(email.replyTo, [{ name: '', address: 'lena@vasquez.dev' }]);
  assert.deepEqual([email.inReplyTo, email.references], [notice!.messageId, notice!.messageId]);
  assert.equal(email.html, undefined);
  assert.match(
    email.text!,
    /^Dear Grace,\n\nyes\. Tomorrow\?\n\nGrace Hopper wrote on .+ at \d\d:\d\d .+:\n\n> We are hiring\.\n> Call me\?\n$/,
  );
  assert.deepEqual(email.headers.map(({ key }) => key).toSorted(), [
    ...['content-transfer-encoding', 'content-type', 'date', 'from', 'in-reply-to', 'message-id', 'mime-version'],
    ...['references', 'reply-to', 'subject', 'to'],
  ]);
  await eventually(async () => /Your reply Sent just now\. Dear Grace, yes\. Tomorrow\?/.test(await text()));
  assert.match(await page(), /<p class="soft small">You replied<\/p>/);
  assert.equal((await service.opened.store.contacts.list())[0]?.state, 'replied');
});

test('a reply stands under the message also when its mail is no longer kept, and the next one refers to it', async (t) => {
  const { reply, replies, text, database } = await openDesk(t);
  await reply('Dear Grace');
  await eventually(
    () => rowsOf(database, "select id from outbox where kind = 'reply' and sent_at is not null").length === 1,
  );
  await reply('One more thing');
  await eventually(() => replies().length === 2);
  const [first, second] = replies().map(({ email }) => email);
  assert.equal(second!.inReplyTo, first!.messageId);
  await eventually(() => rowsOf(database, 'select id from outbox where sent_at is null').length === 0);
  rowsOf(database, "delete from outbox where kind = 'reply'");
  assert.match(await text(), /Your replies Sent just now\. Dear Grace Sent just now\. One more thing Reply again/);
});

test('a reply is sent once however often its form is, and again if its text was changed', async (t) => {
  const { reply, replies, page, database } = await openDesk(t);
  const shown = await page();
  await Promise.all(['Dear Grace', 'Dear Grace ', 'Dear Grace'].map((text) => reply(text, shown)));
  await reply('Dear Grace', shown);
  await reply('Dear Admiral', shown);
  await eventually(() => replies().length === 2);
  assert.deepEqual(
    rowsOf(database, 'select text from replies order by text').map(({ text }) => text),
    ['Dear Admiral', 'Dear Grace'],
  );
});

test('a reply that was typed when the session ended is kept until it is sent', async (t) => {
  const { service, desk, path, page, replies } = await openDesk(t);
  const shown = await page();
  await desk.post('/desk/sign-out');
  const fields = { reply: 'Dear <Grace>,\r\nyes.', key: hiddenField(shown, 'key') };
  const send = async (from: string, cookie: string) => {
    const form_token = hiddenField(from, 'form_token');
    return service.ask(`${path}/reply`, formPost({ ...fields, form_token }, { cookie }));
  };
  const ended = await (await send(shown, desk.cookie)).text();
  assert.match(ended, /You have been signed out.*<a href="\/desk\/sign-in" target="_blank">/s);
  assert.match(ended, /<textarea [^>]*name="reply"[^>]*>\nDear &lt;Grace&gt;,\nyes\.<\/textarea>/);
  const { cookie } = await signIn(service);
  const again = await (await send(ended, cookie)).text();
  assert.match(again, /Send this again.*name="reply"[^>]*>\nDear &lt;Grace&gt;/s);
  assert.equal((await send(again, cookie)).headers.get('location'), `${path}#replies`);
  await eventually(() => replies().length === 1);
});

test('a reply that the mail server refuses says why, and is sent again on request under the same id', async (t) => {
  const ids: (string | undefined)[] = [];
  const { reply, replies, text, page, path, desk, service } = await openDesk(t, {
    answer: async ({ subject, messageId }) => {
      if (subject === 'Re: your message' && ids.push(messageId) === 1) throw refusal(554, '5.7.1 no');
    },
  });
  await reply('Dear Grace');
  await eventually(async () =>
    /Not sent\. The mail server refused the e-mail \(EMESSAGE 554 5\.7\.1\)\./.test(await text()),
  );
  assert.match(await text(), /Dear Grace Try again/);
  assert.match(await page(), />Mail<sup>1</);
  assert.match(textOf(await (await desk.get('/desk/mail')).text()), /Your reply, just now\./);
  assert.equal((await (await service.ask('/readyz')).json()).mail, 'ok');
  const retried = await desk.post(`${path}/reply/retry`, { reply: hiddenField(await page(), 'reply') }, path);
  assert.equal(retried.headers.get('location'), `${path}#replies`);
  await eventually(async () => /Your reply Sent just now\./.test(await text()));
  assert.equal(replies().length, 1);
  assert.equal(ids[0], ids[1]);
});

testOnSqlite('a reply that cannot be stored is in its form again, and is sent with it', async (t) => {
  const { reply, replies, database, page: open } = await openDesk(t);
  const other = openSqliteFile(database);
  other.exec('begin immediate');
  const shown = await open();
  const locked = await reply('Dear Grace,\n\nyes', shown);
  assert.equal(locked.status, 503);
  const page = await locked.text();
  // A commit whose answer is lost may have stored it: under the same key it is not sent twice.
  assert.equal(hiddenField(page, 'key'), hiddenField(shown, 'key'));
  assert.match(textOf(page), /Nothing was sent, and your text is still here\./);
  assert.match(page, /<textarea[^>]*>\nDear Grace,\n\nyes<\/textarea>/);
  other.close();
  await reply('Dear Grace,\n\nyes', page);
  await eventually(() => replies().length === 1);
});

for (const [what, reply, fault] of [
  ['an empty reply', ' \n ', /The reply is empty: write something, and send it again\./],
  ['too long a reply', 'x'.repeat(10_001), /The reply has 10001 characters, and can have 10000\. Shorten it/],
  ['a reply with a control character', 'Dear\u0007 Grace', /The reply has the control character U\+0007\. Remove it/],
] as const)
  test(`${what} is refused with what to do, and kept`, async (t) => {
    const { reply: send, replies } = await openDesk(t);
    const refused = await send(reply);
    assert.equal(refused.status, 400);
    const page = await refused.text();
    assert.match(textOf(page), fault);
    assert.ok(page.includes(`>\n${reply}</textarea>`));
    assert.equal(replies().length, 0);
  });

test('no text becomes a header, a recipient or markup of the mail [TRUST-6]', async (t) => {
  const hostile = '"x" <third@example.net>, =?utf-8?Q?=0D=0ABcc:_third@example.net?=';
  const { reply, replies } = await openDesk(t, {
    contact: { name: hostile, message: '\r\n.\r\nBcc: third@example.net' },
  });
  await reply('Bcc: third@example.net\r\n\r\n.\r\n<b>Dear</b> Grace');
  await eventually(() => replies().length === 1);
  const [{ to, email }] = replies() as [ReturnType<typeof replies>[number]];
  assert.deepEqual(to, ['grace@example.org']);
  assert.deepEqual(email.to, [{ name: '', address: 'grace@example.org' }]);
  assert.deepEqual([email.cc, email.bcc, email.html], [undefined, undefined, undefined]);
  assert.match(email.text!, /^Bcc: third@example\.net\n\n\.\n<b>Dear<\/b> Grace\n\n"x" /);
});

test('at most 60 replies are sent within an hour; the text of the next one is kept [TRUST-6]', async (t) => {
  const { reply, page, database } = await openDesk(t, { env: { LIMITS: '1' } });
  const shown = await page();
  for (let n = 1; n <= 60; n += 1) assert.equal((await reply(`Reply ${n}`, shown)).status, 303);
  const refused = await reply('Reply 61', shown);
  assert.equal(refused.status, 429);
  const answer = await refused.text();
  assert.match(textOf(answer), /No more replies are sent within the hour; try again in \d+ min\./);
  assert.match(answer, />\nReply 61<\/textarea>/);
  assert.equal(rowsOf(database, "select id from outbox where kind = 'reply'").length, 60);
});

test('without a mail server, the page has a link for the mail program, and no reply is stored', async (t) => {
  const { page, service, desk, path, database } = await openDesk(t, { env: { SMTP_URL: '' } });
  const shown = await page();
  assert.match(shown, /<a class="button" href="mailto:grace@example\.org\?subject=/);
  assert.doesNotMatch(shown, /<textarea/);
  const fields = { form_token: hiddenField(shown, 'form_token'), key: 'k', reply: 'Dear Grace' };
  const refused = await service.ask(`${path}/reply`, formPost(fields, { cookie: desk.cookie }));
  assert.equal(refused.status, 503);
  const kept = await refused.text();
  assert.match(textOf(kept), /Replies are sent by a mail server, and none is set up\./);
  assert.match(kept, />\nDear Grace<\/textarea>/);
  assert.deepEqual(rowsOf(database, 'select id from replies'), []);
});

test('a reply is erased with its message, also one that waits, and is in what is exported of the visitor', async (t) => {
  const { reply, service, desk, path, database } = await openDesk(t, {
    answer: async ({ subject }) => {
      if (subject === 'Re: your message') throw refusal(451, 'later');
    },
  });
  await reply('Dear Grace');
  const exported = (await service.opened.store.visitors.traces(byAddress('grace@example.org'))) as unknown as {
    replies: object[];
  };
  assert.equal(exported.replies.length, 1);
  await desk.post(`${path}/erase`, { what: 'message' }, path);
  assert.deepEqual(rowsOf(database, 'select id from replies'), []);
  assert.deepEqual(rowsOf(database, "select id from outbox where kind in ('reply', 'contact_request')"), []);
});
