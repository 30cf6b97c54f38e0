import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toOutline } from 'resume-documents/outline/outline';
import { type Paragraph, toParagraphs, withoutMarks } from 'resume-profile/prose';
import { isProse, textsOf } from 'resume-profile/texts';
import { readProfile } from './documents.ts';
import { randomOf } from './random.ts';

/** Some paragraphs in a notation that is not Markdown: `{strong emphasis code =url: text}`, a line for each, bullets indented. */
const notationOf = (paragraphs: readonly Paragraph[] | undefined, indent = ''): string | undefined =>
  paragraphs
    ?.flatMap(({ runs, bullets }) => [
      ...(runs.length === 0 ? [] : [indent + runs.map(toNotation).join('')]),
      ...(bullets.length === 0 ? [] : [notationOf(bullets, `${indent}• `)]),
    ])
    .join('\n');

function toNotation({ text, isStrong, isEmphasis, isCode, url }: Paragraph['runs'][number]): string {
  const marks = [isStrong && 'strong', isEmphasis && 'emphasis', isCode && 'code', url && `=${url}`].filter(Boolean);
  return marks.length === 0 ? text : `{${marks.join(' ')}: ${text}}`;
}

const read = (text: string, bulletsFrom?: number) => notationOf(toParagraphs(text, bulletsFrom));

test('strong, emphasis, code and links are read, in each other too', () => {
  for (const [text, marks] of [
    ['**a** and *b*', '{strong: a} and {emphasis: b}'],
    ['***a***', '{strong emphasis: a}'],
    ['*a **b** c*', '{emphasis: a }{strong emphasis: b}{emphasis:  c}'],
    ['run `a *b* &amp; c` now', 'run {code: a *b* &amp; c} now'],
    ['`` a`b ``', '{code: a`b}'],
    [
      '[three **papers**](https://papers.example/x)',
      '{=https://papers.example/x: three }{strong =https://papers.example/x: papers}',
    ],
    ['[a](http://a.example/b_(c)?d=1&amp;e=2#f).', '{=http://a.example/b_(c)?d=1&amp;e=2#f: a}.'],
    ['[mail](mailto:ada@ada.example?subject=Hi)', '{=mailto:ada@ada.example?subject=Hi: mail}'],
    ['这是**重点**内容', '这是{strong: 重点}内容'],
    ['تكتب **بلغتي** `C++`', 'تكتب {strong: بلغتي} {code: C++}'],
  ] as const)
    assert.equal(read(text), marks, text);
});

// biome-ignore format: a table
const notMarks = [
  '1986. A great year', '1) first', '# of users', '## of', 'AT&amp;T', '&copy; &#42;', '2 * 3 * 4', 'a*b', '5* hotel',
  'snake_case_name', '_a_ and __b__', '~~a~~', '> a', '***', '---', 'a\n===', "'''\na\n'''", '<b>a</b>',
  '<https://a.example>', 'https://a.example', '![a](https://a.example)', '[a][b]\n\n[b]: https://a.example',
  '[a](https://a.example "title")', '5\\* hotel, C:\\[x], \\# \\_', '    indented', 'a  \nb', '+ a', '• a', '-a', '*', '**', '`',
  '| a | b |\n|---|---|', '$\\mathcal{O}(n^2)$', '-', '- ',
];

test('everything else of Markdown stays as it is written', () => {
  for (const text of notMarks) assert.equal(read(text), undefined, text);
});

test('only http, https and mailto addresses in ASCII are links', () => {
  // biome-ignore format: a table
  for (const url of [
    ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,a', 'ftp://a.example', 'file:///etc/passwd',
      '//a.example'],
    ...['a.example', '/a', '#a', '', 'https://', 'https://ä.example', 'https://a.example/\u202e', 'mailto:', 'mailto:a',
      'mailto:a@b.example,c@d.example'],
    ...['mailto:a@b.example?subject=ä', 'https://a.example/ b', 'https://a.example/<b>', 'https://a.example/"b'],
  ])
    assert.equal(read(`[a](${url})`), undefined, url);
  assert.equal(read('[ ](https://a.example)'), undefined, 'a link that nobody sees');
});

test('a backslash keeps a mark as a character, if the text has marks at all', () => {
  assert.equal(
    read('5\\* **hotel**, \\[x](https://a.example), \\`c`, \\#'),
    '5* {strong: hotel}, [x](https://a.example), `c`, \\#',
  );
  assert.equal(read('\\*a\\*'), '*a*');
  assert.equal(read('\\* a'), undefined);
});

test('lines that begin with a hyphen and a space are bullets, with one level below them', () => {
  assert.equal(
    read('Looks for:\n- one\n- **two**\n  goes on\n  - three\n    - four\n\n- five\n\nThe end.\nReally.'),
    'Looks for:\n• one\n• {strong: two} goes on\n• • three\n• • four\n• five\nThe end.\nReally.',
  );
  assert.equal(read('- one\n- two'), '• one\n• two');
  // A text that is a bullet itself.
  assert.equal(read('- 5 degrees', 1), undefined);
  assert.equal(read('Led:\n- one\n  - two', 1), 'Led:\n• one\n• two');
});

test('a text without its marks is what a reader sees', () => {
  assert.equal(withoutMarks('**a** [b](https://a.example) `c`\n- *d*\n  - e'), 'a b c\nd\ne');
  assert.equal(withoutMarks('2 * 3 * 4, AT&amp;T'), '2 * 3 * 4, AT&amp;T');
});

// biome-ignore format: a table
const pieces = [
  '*', '**', '`', '``', '[', ']', '(', ')', '](', '_', '\\', '\n', '\n- ', '\n  - ', ' ', '  ', 'a', 'B', '1.', '#', '&lt;',
  '<b>', 'https://a.example', 'javascript:alert(1)', 'mailto:a@b.example', '](https://a.example)', 'ä', 'مر', '漢', '😀',
  '\u202e', '\0', '\t', '"',
];

test('no random text gains or loses a letter, becomes a link to elsewhere, or stops the reader', () => {
  const random = randomOf(24);
  const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}<&"]/gu, '');
  let marked = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: 1 + random.below(24) }, () => random.pick(pieces)).join('');
    const paragraphs = toParagraphs(text, round % 2);
    if (paragraphs === undefined) continue;
    marked += 1;
    const runs = paragraphs.flatMap(function runsIn({ runs, bullets }): Paragraph['runs'] {
      return [...runs, ...bullets.flatMap(runsIn)];
    });
    for (const { url } of runs) if (url !== undefined) assert.match(url, /^(https:\/\/|mailto:)/, text);
    const [written, set] = [text, runs.map(({ text }) => text).join('')].map(lettersOf);
    if (runs.every(({ url }) => url === undefined)) assert.equal(set, written, text);
    else assert.ok(set!.length < written!.length, text);
    assert.doesNotThrow(() => withoutMarks(text));
  }
  assert.ok(marked > 2_000, String(marked));
});

test('a long text is read in linear time', () => {
  const durationOf = (piece: string, length: number) => {
    const text = piece.repeat(length / piece.length);
    const start = process.cpuUsage();
    toParagraphs(text);
    return process.cpuUsage(start).user;
  };
  // biome-ignore format: a table
  const pieces = ['*[', '[*', '[', '**a ', '`a[', '[a](', '[a](b', '*', '_*', '\\*', '\n- a', '\n', ' ', '\n ', '\n-'];
  for (const piece of pieces) assert.ok(durationOf(piece, 100_000) < 5_000_000, piece);
});

/** The texts that a value has as strings, not in paragraphs. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || 'paragraphs' in value) return [];
  return Object.values(value).flatMap(stringsIn);
}

test('a text without marks is in the outline as it is written, in every profile of the fixtures', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const patterns = [
    'examples/*.yaml',
    'test/fixtures/{.,languages}/*.yaml',
    'packages/resume-import/corpus/*.expected.yaml',
  ];
  const paths = globSync(patterns, { cwd: root });
  for (const path of paths.filter((path) => path !== 'packages/resume-import/corpus/rendercv-sample.yaml')) {
    const profile = readProfile(join(root, path)).profile!;
    const strings = stringsIn(toOutline(profile));
    for (const { path: at, text } of textsOf(profile)) {
      const isPrinted = isProse(at) && !at.includes('references');
      const hasCharactersOfMarks = /[*`]|\]\(|^\s*- /m.test(text);
      if (isPrinted && !hasCharactersOfMarks && text !== '') assert.ok(strings.includes(text), `${path}: ${text}`);
    }
  }
});
