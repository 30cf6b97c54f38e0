import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { report, scaled } from '../../support/figures.ts';
import { fixture } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { openFaultySmtp } from './faulty-smtp.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
let state = seed;
/** Returns a random integer from 0 up to, but not including, the bound (mulberry32). */
function draw(bound: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
}
const oneOf = <Item>(items: readonly Item[]): Item => items[draw(items.length)]!;

/** Text that a careless program would read as headers, recipients or commands. */
const structure = [
  'Bcc: third@example.net',
  'To: third@example.net, owner@example.org',
  'Content-Type: multipart/mixed; boundary=x',
  'Subject: another',
  'RCPT TO:<third@example.net>',
  '--x',
  '----_NmP-0123456789abcdef-Part_1--',
  '.',
  '..',
  'From here on',
  "What follows are the sender's words:",
  '=?utf-8?Q?=0D=0ABcc:_third@example.net?=',
  '=?utf-8?B?DQpCY2M6IHRoaXJkQGV4YW1wbGUubmV0?=',
  '=?iso-2022-jp?B?GyRCJUYlOSVIGyhC?=',
  '=0D=0ABcc: third@example.net',
  '%0d%0aBcc:third@example.net',
  '\\r\\nBcc: third@example.net',
  '"quoted" \'text\'',
  'Ada" <third@example.net>, "Bob',
  '<third@example.net>',
  'a, b; c: d (e) [f] \\ g',
  ',',
  ';',
  '\\u{202e}',
  '{{constructor}} #{7*7} <%= 7 %>',
  '<script>alert(1)</script>',
  '   blanks   ',
  '\u00a0\u3000\u2003',
  'w'.repeat(190),
  '長'.repeat(90),
  'é'.repeat(97),
  '🦊'.repeat(47),
  `${'word '.repeat(30)}`,
];
/** Characters that hide text or change its direction. */
const hidden = [
  ...['\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u180e'],
  ...['\u{e0001}', '\u{e0042}\u{e0063}\u{e0063}', '\ue000', '\u{10ffff}', '\ufff9', '\u{1d173}'],
  ...['\u034f', '\u115f', '\u3164', '\uffa0', '\u{e0100}\u{e01ef}', '\ufe00'],
];
const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\v',
  '\f',
  '\t',
  '\x1b[2J',
  '\u0085',
  '\u2028',
  '\u2029',
  '\x7f',
  '\x9b',
  '\b',
];
const words = ['Ada', 'Zoë', 'Engines', '株式会社', 'محمد', 'a\u0301'];

/** Addresses as given, and as written in Reply-To: null if the header would need SMTPUTF8 or another spelling. */
const addresses: readonly (readonly [string, string | null])[] = [
  ['ada@example.org', 'ada@example.org'],
  ['\r\n ada@Example.ORG\t', 'ada@example.org'],
  ['"ada"@example.org', '<"ada"@example.org>'],
  ['"a,b"@example.org', '<"a,b"@example.org>'],
  ['"a;b"@example.org', '<"a;b"@example.org>'],
  ['"Bcc:x"@example.org', '<"Bcc:x"@example.org>'],
  ['"third@example.net"@example.org', '<"third@example.net"@example.org>'],
  ['third%example.net@example.org', 'third%example.net@example.org'],
  ['example.net!third@example.org', 'example.net!third@example.org'],
  ['ada+Bcc@example.org', 'ada+Bcc@example.org'],
  ['a{b}|c@example.org', 'a{b}|c@example.org'],
  [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
  [`ada@${'b'.repeat(63)}.${'c'.repeat(63)}.example`, `ada@${'b'.repeat(63)}.${'c'.repeat(63)}.example`],
  ['=?utf-8?q?third?=@example.org', null],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@ex\u0430mple.org', 'ada@xn--exmple-4nf.org'],
  ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
  ['zoë@example.org', null],
  ['\u0430da@bücher.example', null],
];
const noAddresses = [
  '"a\\"b"@example.org',
  '"\\\\"@example.org',
  '"<third@example.net>"@example.org',
  '"><script>"@example.org',
  'ada@example.org\r\nBcc: third@example.net',
  'ada@example.org\nRCPT TO:<third@example.net>',
  'ada@example.org>\r\nDATA',
  'ada@example.org,third@example.net',
  'ada@example.org;third@example.net',
  'ada@example.org third@example.net',
  'Ada <ada@example.org>',
  'Bcc: third@example.net',
  'group:ada@example.org,third@example.net;',
  '@example.net:ada@example.org',
  'ada(third@example.net)@example.org',
  'ada@[127.0.0.1]',
  'ada@example.org%0d%0aBcc:third@example.net',
  '"a\r\nBcc: x"@example.org',
  '"a\0b"@example.org',
  'ada\u202e@example.org',
  'ada@exam\u200bple.org',
  '\u{e0061}da@example.org',
  'ada@example.org\u2028Bcc:x@example.net',
];
const replyToOf = new Map(addresses);

const makeText = (isRough: boolean): string => {
  const parts = Array.from({ length: 1 + draw(3) }, () => oneOf(draw(2) === 0 ? structure : [...hidden, ...words]));
  if (isRough) parts.splice(draw(parts.length + 1), 0, oneOf(breaks));
  return [...parts.join(oneOf(['', ' ']))].slice(0, 200).join('');
};
const makeMessage = (): string => {
  if (draw(20) === 0) return oneOf(['x', '長', '.', '🦊', '> ']).repeat(4_900);
  const lines = Array.from({ length: 1 + draw(8) }, () => (draw(6) === 0 ? '' : makeText(draw(40) === 0)));
  return `${lines.join(oneOf(['\n', '\r\n']))}!`;
};
const makeContact = () => {
  const email = draw(4) === 0 ? oneOf(noAddresses) : oneOf(addresses)[0];
  return { name: makeText(draw(8) === 0), company: makeText(draw(8) === 0), email, message: makeMessage() };
};
type Contact = ReturnType<typeof makeContact>;

const isName = (text: string) => /\S/.test(text) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
/** Whether a contact request must be accepted; otherwise it must be refused. */
const isContact = ({ name, company, email, message }: Contact) =>
  isName(name) && isName(company) && replyToOf.has(email) && !/(?!\r?\n|\t)\p{Cc}/u.test(message);

/** Draws contact requests until one is as it should be. */
function drawContact(isAccepted: boolean): Contact {
  const contact = makeContact();
  return isContact(contact) === isAccepted ? contact : drawContact(isAccepted);
}

const attempts = scaled(3_600, 160);
const pairs = scaled(180, 23);

const smtp = await openFaultySmtp({ after });
const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
const service = await startProcess({ after }, env);
const authorization = `Bearer ${await service.token()}`;

/** Parses the mail that was sent for a row of the outbox, and checks what all mails have in common. */
async function mailFor(where: string, value: string, expectedNames: readonly string[]) {
  using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
  const query = database.prepare(`select id, created_at from outbox where instr(text, '${where}' || ?) > 0`);
  const { id, created_at } = query.get(value) as { id: string; created_at: string };
  const isMail = ({ source }: (typeof smtp.received)[number]) => source.includes(`Message-ID: <${id}@localhost>\r\n`);
  const { commands, source } = await eventually(() => smtp.received.find(isMail) ?? false);

  assert.equal(smtp.received.filter(isMail).length, 1);
  assert.match(commands[0]!, /^EHLO \S+$/);
  assert.deepEqual(commands.slice(1), [
    'MAIL FROM:<candidate-profile@localhost>',
    'RCPT TO:<owner@example.org>',
    'DATA',
  ]);
  assert.doesNotMatch(source, /\r(?!\n)|(?<!\r)\n|[^\t\r\n\x20-\x7e]/, 'a bare CR or LF, or what is not ASCII');
  for (const line of source.split('\r\n')) assert.ok(line.length <= 998);

  const [head, ...rest] = source.split('\r\n\r\n');
  const fields = head!.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const headers = new Map(fields.map((field) => [/^([!-9;-~]+): /.exec(field)![1]!, field.replace(/^[^:]+: /, '')]));
  assert.deepEqual(fields.map((field) => field.split(':')[0]).sort(), expectedNames);
  const from = headers.get('From')!;
  const [, phrase] =
    /^("(?:[^"\\]|\\.)*"|(?:=\?utf-8\?[BQ]\?[^? ]*\?=[ \t]*)+) <candidate-profile@localhost>$/i.exec(from) ??
    assert.fail(`not a quoted string or encoded words: ${from}`);
  const sender = phrase!.startsWith('"') ? phrase!.slice(1, -1).replace(/\\(.)/g, '$1') : decodeWords(phrase!);
  assert.match(sender, /^(?!.*(@|=\?)).*, via Tess Example's profile$/);
  assert.equal(headers.get('To'), 'owner@example.org');
  assert.equal(headers.get('Message-ID'), `<${id}@localhost>`);
  assert.equal(headers.get('Date'), new Date(created_at).toUTCString().replace('GMT', '+0000'));
  assert.equal(headers.get('Auto-Submitted'), 'auto-generated');
  assert.equal(headers.get('MIME-Version'), '1.0');
  assert.equal(headers.get('Content-Type'), 'text/plain; charset=utf-8');

  const subject = decodeWords(headers.get('Subject')!);
  const text = decodeBody(rest.join('\r\n\r\n'), headers.get('Content-Transfer-Encoding')!);
  // The variation selectors of emoji are the only invisible characters that are sent as they are.
  const raw = /(?![\ufe0e\ufe0f])[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n|\t)\p{Cc}/gu;
  assert.deepEqual((subject + sender + text).match(raw), null, 'hidden characters are shown as they are');
  parsed += 1;
  return { subject, text, replyTo: headers.get('Reply-To')?.trim() ?? null };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes each encoded word on its own, and drops the white space between two (RFC 2047, sections 5 and 6.2). */
const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)[ \t]+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([BQ])\?([^? ]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? utf8.decode(Buffer.from(word, 'base64'))
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );

const decodeQuotedPrintable = (text: string): string => {
  const octets = text
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})|=/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return utf8.decode(Buffer.from(octets, 'latin1'));
};

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body).replaceAll('\r\n', '\n');
  if (encoding === 'base64') return utf8.decode(Buffer.from(body, 'base64')).replaceAll('\r\n', '\n');
  assert.equal(encoding, '7bit');
  return body.replaceAll('\r\n', '\n');
}

/** Replaces the escapes of an e-mail with the characters they stand for. */
const plain = (text: string): string =>
  text.replace(/\\u\{([\da-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Sends the bodies, eight at a time; returns those that must be accepted, with the responses. The others must be refused. */
async function post<Body>(path: string, bodies: readonly Body[], isAccepted: (body: Body) => boolean) {
  const accepted: { body: Body; answer: Record<string, string> }[] = [];
  const waiting = bodies.entries();
  const send = async () => {
    for (const [index, body] of waiting) {
      const response = await fetch(service.url + path, postJson(body, { authorization }));
      const answer = (await response.json()) as Record<string, string> & { error?: { code: string } };
      const place = `seed ${seed}, ${path} ${index}: ${JSON.stringify(body).slice(0, 300)}`;
      if (!isAccepted(body)) assert.deepEqual([response.status, answer.error?.code], [400, 'BAD_REQUEST'], place);
      else if (response.ok) accepted.push({ body, answer });
      else assert.fail(`${place} was refused: ${JSON.stringify(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return accepted;
}

const names = [
  'Auto-Submitted',
  'Content-Transfer-Encoding',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
];

let parsed = 0;
let finished = 0;

test('any contact request becomes one e-mail to the owner with the expected headers only, and shows what was sent [TRUST-8] [TRUST-9] [TRUST-28]', async () => {
  const contacts = Array.from({ length: attempts }, (_, index) => drawContact(index % 2 === 0));
  const accepted = await post('/contact', contacts, isContact);
  for (const { body, answer } of accepted) await checkContact(body, answer.id!);
  assert.equal(parsed, scaled(1_800, 80));
  finished += 1;
});

async function checkContact({ name, company, email, message }: Contact, id: string): Promise<void> {
  const place = `seed ${seed}: ${JSON.stringify({ name, company, email, message }).slice(0, 400)}`;
  const replyTo = replyToOf.get(email);
  const expectedNames = replyTo === null ? names : [...names, 'Reply-To'].sort();
  const mail = await mailFor('Request: ', id, expectedNames).catch((error: Error) => {
    throw new Error(`${place}: ${error.message}`, { cause: error });
  });
  assert.equal(mail.replyTo, replyTo, place);
  assert.equal(plain(mail.subject), plain(`Contact request from ${name} (${company})`), place);

  const [ours, theirs] = mail.text.split("\n\nWhat follows are the sender's words:\n\n");
  assert.match(ours!, /^A visitor sent you a message [^>]*\n\nWhen: .*\nRequest: contact_.*\nToken: .*$/, place);
  const lines = mail.text.slice(ours!.length + "\n\nWhat follows are the sender's words:\n\n".length).split('\n');
  assert.ok(theirs, place);
  assert.equal(lines.pop(), '', place);
  for (const line of lines) assert.match(line, /^>( |$)/, place);
  assert.deepEqual(
    lines.map((line) => plain(line.slice(2))),
    [
      `Name:    ${name}`,
      `E-mail:  ${email.trim().replace(/@[^@]*$/, (domain) => domain.toLowerCase())}`,
      `Company: ${company}`,
      '',
      ...message.split(/\r?\n/),
    ].map(plain),
    place,
  );
}

test('a token request for any address becomes one e-mail to the owner with the expected headers only [TRUST-6]', async () => {
  // Half of them are addresses: first each that is listed, then drawn ones.
  const bodies = Array.from({ length: pairs }, (_, n) => [
    { email: (addresses[n] ?? oneOf(addresses))[0] },
    { email: noAddresses[n] ?? oneOf(noAddresses) + makeText(true) },
  ]).flat();
  const accepted = await post('/auth/token', bodies, ({ email }) => replyToOf.has(email));
  assert.equal(accepted.length, pairs);
  for (const { body, answer } of accepted) {
    const place = `seed ${seed}: ${JSON.stringify(body)}`;
    const { jti, sub } = JSON.parse(Buffer.from(answer.access_token!.split('.')[1]!, 'base64url').toString());
    const { subject, text } = await mailFor('Token id:    ', jti, names);
    assert.equal(plain(subject), `${sub} asked for access to your profile`, place);
    assert.equal(plain(text.split('\n')[0]!), `${sub} asked for access to your profile and was given a token.`, place);
  }
  finished += 1;
});

after(() => {
  if (finished < 2) return;
  const all = attempts + 2 * pairs;
  report(
    'mail injection',
    `${all} hostile messages (seed ${seed}), ${parsed} mailed and taken apart, the others refused: 0 unexpected headers, one recipient each`,
  );
});
