import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../../../src/model/contact.ts';
import type { Grant } from '../../../src/model/oauth.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toLocalTime } from '../../../src/operations/local-time.ts';
import { toAccessNotice, toContactNotice, toEmail, toGrantNotice } from '../../../src/operations/notices.ts';

const baseUrl = 'https://profile.example';
const service = { baseUrl, candidateName: 'Lena Vasquez', readerIdOf: (address: string) => `id-of-${address}` };

const at = new Date('2026-11-21T12:00:00.000Z');
const noticeOf = (subject: string) =>
  toAccessNotice({ jti: `token-${subject}`, subject: byAddress(subject), issuedAt: at, expiresAt: at }, '192.0.2.1');
const contact: Contact = {
  id: 'contact_1',
  name: 'Ada\u202e',
  email: 'ada@example.org',
  company: 'Engines',
  message: 'Hello,\r\nshall we\u200b talk?\n❤️',
  subject: byAddress('visitor@example.org'),
  receivedAt: at,
};
const contactNotice = (more: Partial<Contact> = {}) => toContactNotice({ ...contact, ...more });

test('the notice of a token has its subject, instant, network address and expiry', () => {
  const token = {
    jti: 'token-1',
    subject: byAddress('ada@example.org'),
    issuedAt: at,
    expiresAt: new Date(at.getTime() + 1_000),
  };
  assert.deepEqual(toAccessNotice(token, null), {
    kind: 'auth_request',
    about: 'token-1',
    line: `ada@example.org asked for access on ${toLocalTime(at)} from your own machine,\n  token token-1`,
    subject: 'ada@example.org asked for access to your profile',
    text: `ada@example.org asked for access to your profile and was given a token.

When:        ${toLocalTime(at)}
From:        your own machine
Valid until: ${toLocalTime(token.expiresAt)}
Token id:    token-1

The address was typed in by the visitor and has not been verified.
`,
    replyTo: null,
    visitor: byAddress('ada@example.org'),
  });
  assert.match(toAccessNotice(token, '192.0.2.7').text, /^From: {8}192\.0\.2\.7$/m);
});

const grant: Grant = {
  id: 'grant-1',
  subject: byAddress('ada@example.org'),
  isVerified: true,
  clientId: 'https://reader.example/client.json',
  clientName: 'Reader\u202e',
  redirectUri: 'https://reader.example/back',
  scopes: ['profile:read', 'contact:write'],
  isForMcp: true,
  createdAt: at,
  expiresAt: at,
};

test('the notice of a grant says which client it is for, where that is, and that the address is verified', () => {
  assert.deepEqual(toGrantNotice(grant, '192.0.2.7'), {
    kind: 'auth_request',
    about: 'grant-1',
    line: `ada@example.org (verified) connected Reader\\u{202e} on ${toLocalTime(at)} from 192.0.2.7,\n  grant grant-1`,
    subject: 'ada@example.org connected Reader\\u{202e} to your profile',
    text: `ada@example.org connected a client to your profile, which can now get tokens by itself.

Client:      Reader\\u{202e}
Client id:   https://reader.example/client.json
Returns to:  https://reader.example
May:         read your profile, and send you messages
When:        ${toLocalTime(at)}
From:        192.0.2.7
Grant id:    grant-1

The client chose its name itself.
The visitor has proven that the address is theirs, by a code that was sent to it.
`,
    replyTo: null,
    visitor: byAddress('ada@example.org'),
  });
});

test('the notice of a grant says that nobody has verified the address, and that it was asked for here', () => {
  const { text, line } = toGrantNotice({ ...grant, isVerified: false, scopes: ['profile:read'] }, null);
  assert.match(line, /^ada@example\.org \(not verified\) connected /);
  assert.match(text, /^The address was typed in by the visitor and has not been verified\.$/m);
  assert.match(text, /^From: {8}your own machine$/m);
  assert.match(text, /^May: {9}read your profile$/m);
  const { text: ofApp } = toGrantNotice({ ...grant, redirectUri: 'cursor:/callback' }, null);
  assert.match(ofApp, /^Returns to: {2}cursor:$/m);
});

test('a notice of a contact request quotes the sender, with what hides or turns text made visible', () => {
  assert.deepEqual(contactNotice(), {
    kind: 'contact_request',
    about: 'contact_1',
    line: `Ada\\u{202e} (Engines, ada@example.org) wrote on ${toLocalTime(at)},\n  request contact_1`,
    subject: 'Contact request from Ada\\u{202e} (Engines)',
    text: `A visitor sent you a message through your profile. Answers go to the address that they gave.

When:    ${toLocalTime(at)}
Request: contact_1
Token:   issued to visitor@example.org

What follows are the sender's words:

> Name:    Ada\\u{202e}
> E-mail:  ada@example.org
> Company: Engines
>
> Hello,
> shall we\\u{200b} talk?
> ❤️
`,
    replyTo: 'ada@example.org',
    visitor: byAddress('visitor@example.org'),
    visitorName: 'Ada\u202e',
  });
  assert.match(contactNotice({ subject: null }).text, /^Token: {3}none, sent from your own machine$/m);
});

test('one notice is an e-mail of its own, with the name of its sender and links to the desk', () => {
  assert.deepEqual(toEmail([contactNotice()], service), {
    subject: contactNotice().subject,
    text: contactNotice().text.replace(
      'When: ',
      'At your desk: https://profile.example/desk/inbox/contact_1\nAbout them: https://profile.example/desk/readers/id-of-visitor@example.org\n\nWhen: ',
    ),
    replyTo: 'ada@example.org',
    fromName: "Ada\\u{202e}, via Lena Vasquez's profile",
  });
  assert.match(
    toEmail([noticeOf('Ada@EXAMPLE.org'), noticeOf('ada@example.org')], service).text,
    /^At your desk: https:\/\/profile\.example\/desk\/readers\/id-of-ada@example\.org$/m,
  );
});

test('a digest lists who asked for access, then shows each message', () => {
  const [one, other] = [contactNotice({ name: 'Ada' }), contactNotice({ id: 'contact_2', message: 'Something else' })];
  const rule = '-'.repeat(60);
  assert.deepEqual(toEmail([one, noticeOf('bob@example.org'), toGrantNotice(grant, null), other], service), {
    subject: '4 notices from your profile',
    text: `These notices come in one e-mail, because there were many within an hour, or because you chose one a day.

At your desk: https://profile.example/desk

Access was requested with these addresses, which were typed in. None is verified, unless its line says so:

- bob@example.org asked for access on ${toLocalTime(at)} from 192.0.2.1,
  token token-bob@example.org
- ada@example.org (verified) connected Reader\\u{202e} on ${toLocalTime(at)} from your own machine,
  grant grant-1

${rule}

${one.text}
${rule}

${other.text}`,
    replyTo: null,
    fromName: "Lena Vasquez's profile",
  });
  assert.match(
    toEmail([one, other], service).text,
    /^These notices .*\n\nAt your desk: https:\/\/profile\.example\/desk\/inbox\nAbout them: .*\n\n-{60}\n/,
  );
});

for (const [what, visitorName, expected] of [
  ['an address', undefined, "ada at example.org, via Lena Vasquez's profile"],
  ['a name that is an address', 'Bank <pay@bank.example>', "Bank <pay at bank.example>, via Lena Vasquez's profile"],
  ['a name that hides or turns text', 'Ada\u202egpj\u200b', "Ada\\u{202e}gpj\\u{200b}, via Lena Vasquez's profile"],
  ['a long name', '長'.repeat(200), `${'長'.repeat(59)}…, via Lena Vasquez's profile`],
] as const)
  test(`the sender of a notice has ${what} as nothing but words [TRUST-9]`, () => {
    const notice = { ...noticeOf('ada@example.org'), ...(visitorName !== undefined && { visitorName }) };
    assert.equal(toEmail([notice], service).fromName, expected);
  });

test('a notice of a profile without a name, and a notice of an older version, say no more than they know', () => {
  assert.equal(toEmail([contactNotice()], { ...service, candidateName: '' }).fromName, undefined);
  const { visitor: _, ...older } = noticeOf('ada@example.org');
  const { fromName, text } = toEmail([older], service);
  assert.equal(fromName, "Lena Vasquez's profile");
  assert.match(text, /^At your desk: https:\/\/profile\.example\/desk\/readers$/m);
});
