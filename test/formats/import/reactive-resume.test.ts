import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { reactiveResume } from '../../../src/formats/import/readers/reactive-resume.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { assertAccounted } from './accounting.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), reactiveResume);
const importPosition = (position: object) => {
  const experience = { items: [{ company: 'Acme', position: 'Engineer', ...position }] };
  const { yaml, lossReport } = importText(JSON.stringify({ basics: { name: 'Ada Byron' }, sections: { experience } }));
  return { entry: parse(yaml).experience[0], lossReport };
};

for (const version of [4, 5])
  test(`an export of version ${version} gives the expected profile and loss report`, () => {
    assertExpected(`import/reactive-resume-${version}.json`, reactiveResume);
  });

for (const [date, start, end] of [
  ['March 2020 – Present', '2020-03-01', null],
  ['January 2019 to December 2020', '2019-01-01', '2020-12-01'],
  ['2019 - 2021', '2019-01-01', '2021-01-01'],
  ['2019-2021', '2019-01-01', '2021-01-01'],
  ['03/2020 - 05/2021', '2020-03-01', '2021-05-01'],
  ['03/2020-05/2021', '2020-03-01', '2021-05-01'],
  ['Jan 2021-Present', '2021-01-01', null],
  ['2020-05 – 2021-06', '2020-05-01', '2021-06-01'],
  ['From 2019 to 2021', '2019-01-01', '2021-01-01'],
  ['Since 2022', '2022-01-01', null],
  ['Sept. 2022 -', '2022-09-01', null],
  ['2018', '2018-01-01', '2018-01-01'],
] as const)
  test(`the period “${date}” is read as ${start} to ${end ?? 'today'}`, () => {
    const { entry } = importPosition({ date });
    assert.deepEqual([entry.company_start_date, entry.company_end_date], [start, end]);
  });

for (const [html, summary, accomplishments] of [
  ['<p>Led <strong>R&amp;D</strong>&nbsp;&#8212; Caf&eacute;&#x21;</p>', 'Led R&D\u00a0— Café!', []],
  ['<p>Team.</p><ul><li><p>One</p></li><li><p>Two</p><p>more</p></li></ul><p></p>', 'Team.', ['One', 'Two more']],
  [
    '<ul><li><p>Papers</p><ul>\n<li><p>a</p></li>\n<li>b</li></ul></li><li>Talks</li></ul>',
    undefined,
    ['Papers: a; b', 'Talks'],
  ],
  ['<p>Did:<br>- one<br/>• two</p>', 'Did:', ['one', 'two']],
  ['Plain text, a < b & c', 'Plain text, a < b & c', []],
  ['&lt;b&gt;literal&lt;/b&gt; &unknown; &constructor;', '<b>literal</b> &unknown; &constructor;', []],
  ['<script>alert(1)</script><style>p{}</style><!-- no --><img src=x onerror="alert(\'>\')">Seen <b', 'Seen <b', []],
  ['<UL><LI>Upper<LI>case</UL>', undefined, ['Upper', 'case']],
  ['From n<m to <em>n</em><!-- a < b --> <3, &copy; &Aring;', 'From n<m to n <3, © Å', []],
] as const)
  test(`the rich text ${html} reads as a browser shows it`, () => {
    const { entry } = importPosition({ summary: html });
    assert.equal(entry.summary, summary ?? 'Engineer at Acme.');
    assert.deepEqual(entry.roles[0].accomplishments, accomplishments);
  });

test('the loss report says that the address of a link in a rich text is left out', () => {
  const { lossReport } = importPosition({ summary: '<p>See <a href="https://a.example/x">this</a>.</p>' });
  assert.equal(lossReport.changed[0]?.how, 'HTML removed; its link to https://a.example/x left out');
});

test('a rich text of more than 30,000 characters is not carried over, and the loss report says so', () => {
  const html = (length: number) => `<p>${'x'.repeat(length - 7)}</p>`;
  assert.equal(importPosition({ summary: html(30_000) }).entry.summary.length, 29_993);
  const { entry, lossReport } = importPosition({ summary: html(30_001) });
  assert.equal(entry.summary, 'Engineer at Acme.');
  assert.deepEqual(
    lossReport.notCarriedOver.map(({ where, why }) => [where, why]),
    [['sections.experience.items[0].summary', 'It is rich text of more than 30,000 characters']],
  );
});

test('hidden items are not carried over, and the loss report says so', () => {
  const { lossReport } = importPosition({ visible: false });
  assert.deepEqual(
    lossReport.notCarriedOver.map(({ why }) => why),
    ['It is hidden in the resume', 'It is hidden in the resume', 'It is hidden in the resume'],
  );
});

test('rich text full of unclosed markup can be imported', () => {
  for (const markup of [
    '<',
    '<a ',
    '<a "',
    "<a '",
    '<!--',
    '<script>',
    '<ul><li>',
    '&',
    '<p>',
    '<a href= ',
    '<a href="x',
  ])
    importPosition({ summary: `<p>${markup.repeat(1000)}` });
});
