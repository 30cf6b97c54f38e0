import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newLetter, readLetter } from 'resume-documents/letter';

const front = 'to: |\n  Ms Jo Roe\n  Northwind, Inc.\nsubject: Application as engineer\ndate: 2026-11-23';
const letterOf = (body: string, head = front) => `---\n${head}\n---\n\n${body}\n`;
const faultsOf = (body: string, head = front) => readLetter(letterOf(body, head), 'en').faults;

test('a letter has a date in the language of the resume, an address, a subject, paragraphs and lists', () => {
  const body = `Dear Ms Roe,

one line
and the next of the same paragraph.

- first
  and its next line
- second

Kind regards,\\
Lena`;
  const bullet = (text: string) => ({ text, runs: [{ text }], bullets: [] });
  const expected = {
    date: 'November 23, 2026',
    to: ['Ms Jo Roe', 'Northwind, Inc.'],
    subject: 'Application as engineer',
    blocks: [
      { key: undefined, label: undefined, items: [{ text: 'Dear Ms Roe,' }] },
      { key: undefined, label: undefined, items: [{ text: 'one line and the next of the same paragraph.' }] },
      {
        key: undefined,
        label: undefined,
        items: [
          {
            text: '- first and its next line\n- second',
            paragraphs: [{ text: '', runs: [], bullets: [bullet('first and its next line'), bullet('second')] }],
          },
        ],
      },
      { key: undefined, label: undefined, items: [{ text: 'Kind regards,\nLena' }] },
    ],
  };
  assert.deepEqual(readLetter(letterOf(body), 'en'), { letter: expected, faults: [] });
  assert.deepEqual(readLetter(letterOf(body).replaceAll('\n', '\r\n'), 'en').letter, expected);
  assert.deepEqual(readLetter(letterOf(body), 'de').letter?.date, '23. November 2026');
  const spoken = readLetter(letterOf(body, front.replace('2026-11-23', 'Boston, in November')), 'en').letter;
  assert.equal(spoken?.date, 'Boston, in November');
});

test('a placeholder is refused with its line, in the text and above it', () => {
  // biome-ignore format: a table
  for (const [text, found] of [
    ['Dear [Name],', '[Name]'], ['at [your company ] or', '[your company ]'], ['Dear {{name}},', '{{name}}'],
    ['Dear {first name},', '{first name}'], ['Dear <Hiring Manager>,', '<Hiring Manager>'], ['TODO: say why', 'TODO'],
    ['since XXX', 'XXX'], ['a date, tbd', 'tbd'], ['at ____', '____'], ['Lorem ipsum dolor', 'Lorem ipsum'],
  ] as const)
    assert.deepEqual(faultsOf(`Hello.\n\n${text}`), [
      `11: ${found} is a placeholder: write what belongs there, or take it out`,
    ]);
  assert.deepEqual(
    faultsOf('Hello, [you].', front.replace('Ms Jo Roe', '[Name]').replace('Application', 'TODO')).map((fault) =>
      fault.slice(0, 13),
    ),
    ['3: [Name] is ', '5: TODO is a ', '9: [you] is a'],
  );
});

test('links, addresses and lone signs are no placeholders', () => {
  const texts = [
    '[my work](https://example.org)',
    '<https://example.org> <ada@example.org>',
    'a < b > c, x[1], { } and todos',
    'a `Map<String, List>` of `{id}`',
  ];
  for (const text of texts) assert.deepEqual(faultsOf(text), [], text);
});

test('what is missing, unknown or unreadable is said with its line', () => {
  const start = '1: must begin with ---, the lines to, subject and date, and ---; letter new writes them';
  assert.deepEqual(readLetter('Dear Ms Roe,\n', 'en').faults, [start]);
  assert.deepEqual(faultsOf('Hello.', 'to: Ms Roe\ndate:'), ['2: subject: is missing', '3: date: must be a text']);
  assert.deepEqual(faultsOf('Hello.', `${front}\ncc: Bob`), ['7: cc: is not one of to, subject, date']);
  assert.deepEqual(faultsOf('Hello.', front.replace('Application as engineer', '" "')), [
    '5: subject: must not be empty',
  ]);
  assert.match(faultsOf('Hello.', 'to: "Ms Roe\nsubject: x').join(), /^\d: Missing closing "quote/);
  assert.deepEqual(faultsOf('Hello.', front.replace('Application', 'Re: application')), [
    '5: subject: must be in quotes, because it has a colon and a space: "Re: application as engineer"',
  ]);
  assert.deepEqual(faultsOf('Hello.', front.replace('11-23', '02-30')), ['6: date: must be a date that exists']);
  assert.deepEqual(faultsOf('Hello.', 'Ms Roe'), ['2: must be the lines to, subject and date']);
  assert.deepEqual(faultsOf('', front), ['7: the letter has no text']);
});

test('a new letter is refused until each of its placeholders is written', () => {
  const text = newLetter(new Date('2026-11-23T12:00:00Z'), 'Ada Lovelace');
  assert.match(text, /^date: 2026-11-23$/m);
  assert.match(text, /\n\nAda Lovelace\n$/);
  assert.equal(readLetter(text, 'en').faults.length, 8);
  const written = text.replace(/\[([^\]]*)\]/g, '$1');
  assert.deepEqual(readLetter(written, 'en').faults, []);
  assert.match(newLetter(new Date(), ''), /\n\n\[Your name\]\n$/);
});
