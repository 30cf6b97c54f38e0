import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reactiveResume } from 'resume-import/readers/reactive-resume';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), reactiveResume);
const importResume = (resume: object) => {
  const { yaml, report } = importText(JSON.stringify({ basics: { name: 'Ada Byron' }, sections: {}, ...resume }));
  return { profile: parse(yaml), report };
};
const importPosition = (position: object) => {
  const experience = { items: [{ company: 'Acme', position: 'Engineer', ...position }] };
  const { profile, report } = importResume({ sections: { experience } });
  return { entry: profile.experience[0], report };
};

for (const path of [
  'reactive-resume-3.json',
  'reactive-resume-4.json',
  'reactive-resume-5.json',
  'reactive-resume-5-sample.json',
  'rules/reactive-resume-sections.yaml',
])
  test(`${path} gives the expected profile and loss report`, () => assertExpected(path, reactiveResume));

// biome-ignore format: a table
const periods = [
  ['March 2020 – Present', '2020-03', null], ['January 2019 to December 2020', '2019-01', '2020-12'],
  ['2019 - 2021', '2019', '2021'], ['2019-2021', '2019', '2021'], ['2019–20', '2019', '2020'], ['2018', '2018', '2018'],
  ['03/2020 - 05/2021', '2020-03', '2021-05'], ['03/2020-05/2021', '2020-03', '2021-05'],
  ['Jan 2021-Present', '2021-01', null], ['2020-05 – 2021-06', '2020-05', '2021-06'],
  ['From 2019 to 2021', '2019', '2021'], ['Since 2022', '2022', null], ['Sept. 2022 -', '2022-09', null],
  ['März 2020 bis heute', '2020-03', null], ['Seit März 2021', '2021-03', null], ['Depuis 2020', '2020', null],
  ['janvier 2019 à mai 2021', '2019-01', '2021-05'], ['de enero de 2020 a diciembre de 2021', '2020-01', '2021-12'],
  ['2018 – atual', '2018', null], ['2020年3月 - 至今', '2020-03', null], ['May–August 2019', '2019-05', '2019-08'],
] as const;

for (const [date, start, end] of periods)
  test(`the period “${date}” is read as ${start} to ${end ?? 'today'}`, () => {
    const { entry } = importPosition({ date });
    assert.deepEqual([entry.company_start_date, entry.company_end_date], [start, end]);
  });

for (const [html, summary, accomplishments] of [
  ['<p>Led <strong>R&amp;D</strong>&nbsp;&#8212; Caf&eacute;&#x21;</p>', 'Led **R&D**\u00a0— Café!', []],
  ['<p>Team.</p><ul><li><p>One</p></li><li><p>Two</p><p>more</p></li></ul><p></p>', 'Team.', ['One', 'Two more']],
  [
    '<ul><li><p>Papers</p><ul>\n<li><p>a</p></li>\n<li>b</li></ul></li><li>Talks</li></ul>',
    undefined,
    ['Papers\n- a\n- b', 'Talks'],
  ],
  ['<p>Did:<br>- one<br/>• two</p>', 'Did:', ['one', 'two']],
  [
    '<p>A<b> bold </b>word, <i><b>both</b></i>, <code>x</code> and <b>a<br>b</b></p>',
    'A **bold** word, ***both***, `x` and **a**\n**b**',
    [],
  ],
  // Markdown would not read a mark between a sign and a letter.
  ['<p><b>Note:</b>see <a href="https://a.example">this</a></p>', 'Note:see [this](https://a.example)', []],
  ['<p>See <a href="javascript:alert(1)">that</a></p>', 'See that', []],
  ['Plain text, a < b & c', 'Plain text, a < b & c', []],
  ['&lt;b&gt;literal&lt;/b&gt; &unknown; &constructor;', '<b>literal</b> &unknown; &constructor;', []],
  ['<script>alert(1)</script><style>p{}</style><!-- no --><img src=x onerror="alert(\'>\')">Seen <b', 'Seen <b', []],
  ['<UL><LI>Upper<LI>case</UL>', undefined, ['Upper', 'case']],
  ['From n<m to <em>n</em><!-- a < b --> <3, &copy; &Aring;', 'From n<m to *n* <3, © Å', []],
] as const)
  test(`the rich text ${html} reads as a browser shows it`, () => {
    const { entry } = importPosition({ date: '2020', summary: html });
    assert.equal(entry.summary, summary ?? '');
    assert.deepEqual(entry.roles[0].accomplishments, accomplishments);
  });

test('a rich text of more than 30,000 characters is not carried over, and the loss report says so', () => {
  const words = `${'x'.repeat(999)} `.repeat(31);
  const html = (length: number) => `<p>${words.slice(0, length - 7)}</p>`;
  assert.equal(importPosition({ date: '2020', summary: html(30_000) }).entry.summary.length, 29_993);
  const { entry, report } = importPosition({ date: '2020', summary: html(30_001) });
  assert.equal(entry.summary, '');
  assert.deepEqual(
    report.notCarriedOver.map(({ where, why }) => [where, why]),
    [['sections.experience.items[0].summary', 'It is rich text of more than 30,000 characters']],
  );
});

test('a version that is not understood is refused by name', () => {
  for (const [resume, version] of [
    [{ data: { profile: {}, work: { enable: true, items: [{ title: 'Acme' }] } }, theme: {} }, 'version 1'],
    [{ profile: {}, work: { heading: 'Work', items: [{ company: 'Acme' }] } }, 'version 2'],
    [{ version: '6.0.1', basics: {}, sections: { experience: { items: [] } } }, 'version 6'],
    [{ basics: {}, sections: { jobs: { entries: [{ firm: 'Acme' }] } } }, 'an unknown version'],
  ] as const) {
    const input = readTree(JSON.stringify(resume));
    assert.equal(reactiveResume.recognises(toCursor(input.tree)), true);
    assert.throws(() => reactiveResume.toDraft(toCursor(input.tree)), {
      message: `is a Reactive Resume of ${version}, which cannot be read; versions 3, 4 and 5 can`,
    });
  }
});

test('rich text full of unclosed markup can be imported', () => {
  // biome-ignore format: a table
  const unclosed = ['<', '<a ', '<a "', "<a '", '<!--', '<script>', '<ul><li>', '&', '<p>', '<a href= ', '<a href="x'];
  for (const markup of unclosed) importPosition({ date: '2020', summary: `<p>${markup.repeat(1000)}` });
});
