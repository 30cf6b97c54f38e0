import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import PostalMime from 'postal-mime';
import { openMailer } from '../../../src/adapters/mail/mailer.ts';
import { ContactRequest } from '../../../src/model/contact.ts';
import type { Notice } from '../../../src/model/notice.ts';
import { toContactNotice, toEmail } from '../../../src/operations/notices.ts';
import { report } from '../../support/figures.ts';
import { openInbox } from '../../support/inbox.ts';
import { noon } from '../../support/store.ts';

/** Text that a careless program would read as headers, recipients, encoded words or commands; and lengths and letters. */
const structure = [
  ...['Bcc: third@example.net', 'To: third@example.net, owner@example.org', 'RCPT TO:<third@example.net>', '--x', '.'],
  ...['Content-Type: multipart/mixed; boundary=x', 'From here on', "What follows are the sender's words:", ',', ';'],
  ...['=?utf-8?Q?=0D=0ABcc:_third@example.net?=', '=?utf-8?B?DQpCY2M6IHRoaXJkQGV4YW1wbGUubmV0?=', '\\u{202e}'],
  ...['=0D=0ABcc: third@example.net', '%0d%0aBcc:third@example.net', '\\r\\nBcc: third@example.net', '   blanks   '],
  ...[
    'Ada" <third@example.net>, "Bob',
    'a, b; c: d (e) [f] \\ g',
    '{{constructor}} <%= 7 %>',
    '<script>alert(1)</script>',
  ],
  ...['w'.repeat(190), '長'.repeat(90), 'é'.repeat(97), '🦊'.repeat(47), 'word '.repeat(30), '\u00a0\u3000\u2003'],
];
/** Characters that hide text or change its direction. */
const hidden = [
  ...['\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u180e'],
  ...['\u{e0001}', '\u{e0042}\u{e0063}', '\ue000', '\u{10ffff}', '\ufff9', '\u{1d173}', '\u034f', '\u115f', '\u3164'],
  ...['\uffa0', '\u{e0100}\u{e01ef}', '\ufe00'],
];
/** What no name, company or address may have: it could end a line or a command. */
const breaks = [...'\n\r\0\v\f\t\b\u0085\u2028\u2029\x7f\x9b', '\r\n', '\x1b[2J'];

/** Addresses as given, and as written in Reply-To: null if the header would need SMTPUTF8 or another spelling. */
const addresses: readonly (readonly [string, string | null])[] = [
  ...['third%example.net@example.org', 'example.net!third@example.org', 'ada+Bcc@example.org', 'a{b}|c@example.org'],
  ...[`${'a'.repeat(64)}@example.org`, `ada@${'b'.repeat(63)}.${'c'.repeat(63)}.example`, 'ada@example.org'],
]
  .map((address) => [address, address] as readonly [string, string | null])
  .concat(
    ['"ada"', '"a,b"', '"a;b"', '"Bcc:x"', '"third@example.net"'].map((local) => [
      `${local}@example.org`,
      `<${local}@example.org>`,
    ]),
    [
      ['\r\n ada@Example.ORG\t', 'ada@example.org'],
      ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ada@ex\u0430mple.org', 'ada@xn--exmple-4nf.org'],
      ['=?utf-8?q?third?=@example.org', null],
      ['\u0430da@bücher.example', null],
    ],
  );
const noAddresses = [
  ...['"a\\"b"@example.org', '"<third@example.net>"@example.org', 'ada@example.org\r\nBcc: third@example.net'],
  ...['ada@example.org\nRCPT TO:<third@example.net>', 'ada@example.org>\r\nDATA', 'ada@example.org,third@example.net'],
  ...['ada@example.org third@example.net', 'Ada <ada@example.org>', 'group:ada@example.org,third@example.net;'],
  ...['@example.net:ada@example.org', 'ada(third@example.net)@example.org', 'ada@[127.0.0.1]', '"a\0b"@example.org'],
  ...['ada@example.org%0d%0aBcc:third@example.net', '"a\r\nBcc: x"@example.org', 'ada\u202e@example.org'],
  ...['ada@exam\u200bple.org', '\u{e0061}da@example.org', 'ada@example.org\u2028Bcc:x@example.net'],
];
const replyToOf = new Map(addresses);

const usual = { name: 'Zoë', company: '株式会社', email: 'ada@example.org', message: 'محمد\r\n\r\nHello' };

/** Sends notices by SMTP; returns each mail, once what all have in common is checked. */
async function openSending(t: TestContext) {
  const mails: { recipients: readonly string[]; source: string }[] = [];
  const { url: smtpUrl } = await openInbox(t, {
    async onData(stream, { envelope }, callback) {
      const source = Buffer.from(await new Response(stream as unknown as BodyInit).arrayBuffer()).toString('latin1');
      mails.push({ recipients: envelope.rcptTo.map(({ address }) => address), source });
      callback();
    },
  });
  const mailer = openMailer({ smtpUrl, from: undefined, baseUrl: 'http://x', directory: '', log: { info() {} } });
  const service = { baseUrl: 'http://x', candidateName: 'Tess Example', readerIdOf: () => 'reader' };

  return async (notice: Notice) => {
    const mail = { ...toEmail([notice], service), id: 'id', to: 'owner@example.org', createdAt: noon };
    await mailer.send(mail, new AbortController().signal);
    const [{ recipients, source } = assert.fail(), ...others] = mails.splice(0);
    assert.deepEqual([recipients, others], [['owner@example.org'], []]);
    assert.doesNotMatch(source, /\r(?!\n)|(?<!\r)\n|[^\t\r\n\x20-\x7e]/, 'a bare CR or LF, or what is not ASCII');
    for (const line of source.split('\r\n')) assert.ok(line.length <= 998);

    const fields = source
      .split('\r\n\r\n')[0]!
      .replace(/\r\n(?=[ \t])/g, '')
      .split('\r\n');
    const headers = new Map(fields.map((field) => [/^([!-9;-~]+): /.exec(field)![1]!, field.replace(/^[^:]+: /, '')]));
    const replyTo = headers.get('Reply-To')?.trim() ?? null;
    const expected = replyTo === null ? names : [...names, 'Reply-To'].sort();
    assert.deepEqual(fields.map((field) => field.split(':')[0]).sort(), expected);
    const from = /^("(?:[^"\\]|\\.)*"|(?:=\?utf-8\?[BQ]\?[^? ]*\?=[ \t]*)+) <candidate-profile@x>$/i;
    assert.match(headers.get('From')!, from, 'not a quoted string or encoded words');
    assert.equal(headers.get('To'), 'owner@example.org');
    assert.equal(headers.get('Content-Type'), 'text/plain; charset=utf-8');

    const { subject = '', text = '', from: sender } = await PostalMime.parse(Buffer.from(source, 'latin1'));
    const shown = sender!.name!;
    assert.match(shown, /^(?!.*(@|=\?)).*, via Tess Example's profile$/);
    // The variation selectors of emoji are the only invisible characters that are sent as they are.
    const raw = /(?![\ufe0e\ufe0f])[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n|\t)\p{Cc}/gu;
    assert.deepEqual((subject + shown + text).match(raw), null, 'hidden characters are shown as they are');
    return { subject: plain(subject), text, replyTo };
  };
}

/** Replaces the escapes of an e-mail with the characters they stand for. */
const plain = (text: string): string =>
  text.replace(/\\u\{([\da-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

const names = [
  ...['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID'],
  ...['Subject', 'To'],
];
const introduction = "\n\nWhat follows are the sender's words:\n\n";

suite('Hostile texts in a mail', () => {
  test('a message becomes one e-mail to the owner with the expected headers, and shows what was sent [TRUST-8] [TRUST-9] [TRUST-28]', async (t) => {
    const send = await openSending(t);
    const texts = [...structure, ...hidden.map((character) => `Ada${character}Bob`)];
    const messages = [
      ...texts.map((text) => `${text}\n${text}!`),
      ...['長', '.', '🦊', '> '].map((one) => one.repeat(4_900)),
    ];
    const requests = [
      ...texts.filter((text) => /\S/.test(text)).flatMap((text) => [{ name: text }, { company: text }]),
      ...messages.map((message) => ({ message })),
      ...addresses.map(([email]) => ({ email })),
    ];
    for (const given of requests.map((one) => ({ ...usual, ...one }))) {
      const place = JSON.stringify(given).slice(0, 400);
      const contact = { ...ContactRequest.parse(given), id: 'contact_1', subject: null, receivedAt: noon };
      const mail = await send(toContactNotice(contact)).catch((cause: Error) => {
        throw new Error(`${place}: ${cause.message}`, { cause });
      });
      assert.equal(mail.replyTo, replyToOf.get(given.email), place);
      assert.equal(mail.subject, plain(`Contact request from ${given.name} (${given.company})`), place);
      const ours = mail.text.split(introduction, 1)[0]!;
      assert.match(ours, /^A visitor sent you a message [^>]*\nWhen: .*\nRequest: contact_1\nToken: .*$/, place);
      const lines = mail.text.slice((ours + introduction).length).split('\n');
      assert.equal(lines.pop(), '', place);
      for (const line of lines) assert.match(line, /^>( |$)/, place);
      const address = given.email.trim().replace(/@[^@]*$/, (domain) => domain.toLowerCase());
      const head = [`Name:    ${given.name}`, `E-mail:  ${address}`, `Company: ${given.company}`, ''];
      assert.deepEqual(
        lines.map((line) => plain(line.slice(2))),
        [...head, ...given.message.split(/\r?\n/)].map(plain),
        place,
      );
    }
    report('mail injection', `${requests.length} hostile messages: 0 unexpected headers, one recipient each`);
  });

  test('a name, company or address with a line break or control character is refused [TRUST-8]', () => {
    const refused = [
      ...breaks.flatMap((text) => [{ name: `Ada${text}Bob` }, { company: `Ada${text}Bob` }]),
      ...noAddresses.map((email) => ({ email })),
    ];
    for (const one of refused)
      assert.equal(ContactRequest.safeParse({ ...usual, ...one }).success, false, JSON.stringify(one));
  });
});
