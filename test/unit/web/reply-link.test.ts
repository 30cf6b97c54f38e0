import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyLink } from '../../../src/surfaces/web/desk/message.ts';

const grace = { name: 'Grace Hopper', email: 'grace@example.org', message: 'We are hiring.\r\n\nCall me?' };
const at = 'Sunday, 22 November 2026 at 09:12';

/** Reads a link as a mail program does (RFC 6068). */
function read(link: string) {
  const [, address, query] = /^mailto:([^?]*)\?(.*)$/.exec(link)!;
  const fields = query!.split('&').map((field) => field.split('=').map(decodeURIComponent));
  return { to: decodeURIComponent(address!), fields: Object.fromEntries(fields), names: fields.map(([name]) => name) };
}

test('a reply is addressed to the sender, with a subject and the message quoted', () => {
  assert.equal(
    replyLink(grace, at),
    'mailto:grace@example.org?subject=Re%3A%20your%20message&body=%0D%0A%0D%0AGrace%20Hopper%20wrote%20on%20Sunday%2C%2022%20November%202026%20at%2009%3A12%3A%0D%0A%0D%0A%3E%20We%20are%20hiring.%0D%0A%3E%20%0D%0A%3E%20Call%20me%3F',
  );
});

test('nothing that a visitor writes adds a recipient or a header', () => {
  const hostile = 'x&bcc=eve@example.org?cc=eve@example.org\r\nBcc: eve@example.org%0ABcc:eve@example.org#&subject=Y';
  for (const email of ['a&bcc=x@example.org', 'a?cc=x@example.org', 'a%0Abcc=x@example.org', 'a#b,c;d@example.org']) {
    const { to, names, fields } = read(replyLink({ name: hostile, email, message: hostile }, at));
    assert.deepEqual([to, names], [email, ['subject', 'body']]);
    assert.equal(fields.subject, 'Re: your message');
  }
  assert.match(replyLink(grace, at), /^[\x21-\x7e]+$/);
});

test('invisible characters are shown in the quote', () => {
  const { fields } = read(replyLink({ ...grace, name: 'evil\u202egpj', message: 'a\u200bb' }, at));
  assert.equal(fields.body, `\r\n\r\nevil\\u{202e}gpj wrote on ${at}:\r\n\r\n> a\\u{200b}b`);
});

test('a link is never longer than mail programs take, and a cut quote ends with an ellipsis', () => {
  for (const message of ['x'.repeat(10_000), '株'.repeat(10_000), '😀'.repeat(5_000), 'a\n'.repeat(5_000)]) {
    const link = replyLink({ ...grace, name: '名'.repeat(200), message }, at);
    assert.ok(link.length <= 1_900, String(link.length));
    assert.ok(link.length > 1_850, String(link.length));
    assert.match(read(link).fields.body!, /[x株😀>a \n]…$/u);
  }
});
