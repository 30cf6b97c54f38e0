import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOutline } from 'resume-documents/outline/outline';
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

for (const fixture of ['3', '4', '5', '5-sample'])
  test(`reactive-resume-${fixture}.json gives the expected profile and loss report`, () => {
    assertExpected(`reactive-resume-${fixture}.json`, reactiveResume);
  });

for (const [date, start, end] of [
  ['March 2020 – Present', '2020-03', null],
  ['January 2019 to December 2020', '2019-01', '2020-12'],
  ['2019 - 2021', '2019', '2021'],
  ['2019-2021', '2019', '2021'],
  ['03/2020 - 05/2021', '2020-03', '2021-05'],
  ['03/2020-05/2021', '2020-03', '2021-05'],
  ['Jan 2021-Present', '2021-01', null],
  ['2020-05 – 2021-06', '2020-05', '2021-06'],
  ['From 2019 to 2021', '2019', '2021'],
  ['Since 2022', '2022', null],
  ['Sept. 2022 -', '2022-09', null],
  ['März 2020 bis heute', '2020-03', null],
  ['Seit März 2021', '2021-03', null],
  ['janvier 2019 à mai 2021', '2019-01', '2021-05'],
  ['Depuis 2020', '2020', null],
  ['de enero de 2020 a diciembre de 2021', '2020-01', '2021-12'],
  ['2018 – atual', '2018', null],
  ['2020年3月 - 至今', '2020-03', null],
  ['2019–20', '2019', '2020'],
  ['May–August 2019', '2019-05', '2019-08'],
  ['2018', '2018', '2018'],
] as const)
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

test('a time at a company that ends before its roles is not used', () => {
  const { entry } = importPosition({ period: '2010 – 2011', roles: [{ position: 'Lead', period: '2015 – 2016' }] });
  assert.deepEqual([entry.company_start_date, entry.company_end_date], ['2010', '2016']);
});

test('the loss report says that an address in a rich text that cannot be a link is left out', () => {
  const { report } = importPosition({
    date: '2020',
    summary: '<p>See <a href="https://a.example/ä">this</a>.</p>',
  });
  assert.equal(
    report.changed.at(-1)?.how,
    'HTML removed; its link to https://a.example/ä left out; the whole in notes',
  );
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

test('hidden items are not carried over, and the loss report says so', () => {
  const { report } = importPosition({ visible: false });
  assert.deepEqual(
    report.notCarriedOver.map(({ where, why }) => [where.split('.').at(-1), why]),
    [
      ['company', 'It is hidden in the resume'],
      ['position', 'It is hidden in the resume'],
      ['visible', 'It is about the layout of the page, not about you'],
    ],
  );
});

test('what is hidden, a note to oneself and a letter are notes, which no form of the resume has', () => {
  const { profile } = importResume({
    metadata: { notes: '<p>Ask for <b>more</b></p>', template: 'azurill' },
    sections: {
      experience: { items: [{ hidden: true, company: 'Secret', position: 'Spy', period: '2017' }] },
      skills: { title: 'Arts', hidden: true, items: [{ name: 'Forgery' }] },
    },
    customSections: [{ type: 'cover-letter', title: 'Letter', items: [{ content: '<p>Dear you,</p><p>Ada</p>' }] }],
  });
  assert.deepEqual(profile.notes, [
    'Ask for **more**',
    'Dear you,\nAda',
    'sections.experience.items[0].company: Secret',
    'sections.experience.items[0].position: Spy',
    'sections.experience.items[0].period: 2017',
    'sections.skills.title: Arts',
    'sections.skills.items[0].name: Forgery',
  ]);
  assert.deepEqual(toOutline(profile).sections, []);
});

test('the text of a link is left to an address that contains it, otherwise it is a note', () => {
  const projectOf = (label: string) => {
    const website = { url: 'https://github.com/ada/loom', label, inlineLink: true };
    return importResume({ sections: { projects: { items: [{ name: 'Loom', website }] } } }).profile;
  };
  assert.equal(projectOf('github.com/ada/loom').notes, undefined);
  assert.deepEqual(projectOf('Code').notes, ['sections.projects.items[0].website.label: Code']);
});

test('bold, links and lists are understood in every section, in HTML and in Markdown', () => {
  const html =
    '<p>Led <strong>three</strong> <a href="https://a.example">teams</a>.</p><ul><li>One</li><li>Two</li></ul>';
  const markdown = 'Led **three** [teams](https://a.example).\n- One\n- *Two*';
  for (const [summary, two] of [
    [html, 'Two'],
    [markdown, '*Two*'],
  ] as const) {
    const section = (heading: object) => ({ items: [{ ...heading, summary }] });
    const { profile } = importResume({
      sections: {
        experience: section({ company: 'Acme', date: '2020' }),
        projects: section({ name: 'Loom' }),
        volunteer: section({ organization: 'Food Bank' }),
        awards: section({ title: 'Prize' }),
        certifications: section({ name: 'CKA' }),
        publications: section({ name: 'On Engines' }),
        references: section({ name: 'C. Babbage' }),
        custom: { a: { name: 'Talks', ...section({ name: 'Looms' }) } },
      },
    });
    const { resume } = profile;
    assert.equal(profile.experience[0].summary, 'Led **three** [teams](https://a.example).');
    assert.deepEqual(profile.experience[0].roles[0].accomplishments, ['One', two]);
    for (const entry of [profile.projects[0], resume.volunteer[0], resume.sections[0].entries[0]])
      assert.deepEqual([entry.summary, entry.highlights], ['Led **three** [teams](https://a.example).', ['One', two]]);
    for (const entry of [resume.awards[0], resume.certifications[0], resume.publications[0]])
      assert.equal(entry.summary, `Led **three** [teams](https://a.example). One. ${two}`);
    assert.equal(resume.references.entries[0].reference, `Led **three** [teams](https://a.example). One. ${two}`);
  }
});

test('a resume with a locale is printed in its language', () => {
  const { profile } = importResume({ metadata: { page: { locale: 'fr-FR' } } });
  assert.equal(profile.resume.language, 'fr-FR');
});

test('a level that is a number of dots is not printed as a word', () => {
  const { profile } = importResume({
    sections: {
      skills: {
        items: [
          { name: 'Go', proficiency: '', level: 0, keywords: ['gin'] },
          { name: 'SQL', proficiency: '', level: 3 },
        ],
      },
      languages: { items: [{ language: 'Polish', fluency: '', level: 4 }] },
    },
  });
  assert.deepEqual(profile.resume.skill_groups, [{ name: 'Go', skills: ['gin'] }, { skills: ['SQL'] }]);
  assert.deepEqual(profile.resume.languages, [{ language: 'Polish' }]);
});

test('talks and volunteering that are written in the shape of jobs are not jobs', () => {
  const { profile } = importResume({
    customSections: [
      {
        type: 'experience',
        title: 'Conférences',
        items: [{ company: 'Paris Web', position: 'Oratrice', period: '2023' }],
      },
      {
        type: 'experience',
        title: 'Freelance',
        items: [{ company: 'Mill', position: 'Clerk', period: '2020 - 2021' }],
      },
    ],
  });
  assert.deepEqual(
    profile.experience.map(({ company }: { company: string }) => company),
    ['Mill'],
  );
  assert.deepEqual(profile.resume.sections, [
    { title: 'Conférences', entries: [{ name: 'Oratrice', organization: 'Paris Web', date: '2023' }] },
  ]);
});

test('a custom section has the kind of its type, or what its title says, or is kept under its title', () => {
  const { profile } = importResume({
    sections: {
      custom: {
        a: { name: 'Zertifikate', items: [{ name: 'CKA', date: '2022', description: 'CNCF', summary: '' }] },
        b: { name: 'Work history', items: [{ name: 'Third Prize', description: 'Out of 100', summary: '' }] },
        c: {
          name: 'Talks',
          items: [{ name: 'On Engines', date: 'May 2020', location: 'Turin', keywords: ['looms'], summary: '' }],
        },
      },
    },
    customSections: [
      { type: 'awards', title: 'Prizes', items: [{ title: 'Medal', awarder: 'Society' }] },
      { type: 'summary', title: 'Goals', items: [{ content: '<p>See far.</p>' }] },
      { type: 'cover-letter', title: 'Letter', items: [{ recipient: '<p>You</p>', content: '<p>Dear</p>' }] },
    ],
  });
  assert.deepEqual(profile.experience, []);
  assert.deepEqual(profile.resume.certifications, [{ name: 'CKA', date: '2022', summary: 'CNCF' }]);
  assert.deepEqual(profile.resume.awards, [{ title: 'Medal', awarder: 'Society' }]);
  assert.deepEqual(profile.resume.sections, [
    { title: 'Work history', entries: [{ name: 'Third Prize', details: 'Out of 100' }] },
    {
      title: 'Talks',
      entries: [{ name: 'On Engines', details: 'looms', location: 'Turin', date: '2020-05' }],
    },
    { title: 'Goals', entries: [{ text: 'See far.' }] },
  ]);
  // A letter is not a part of the resume.
  assert.deepEqual(profile.notes, ['You', 'Dear']);
});

test('fields of the header that are not links are kept, unless they are a phone number or e-mail address', () => {
  const { profile } = importResume({
    basics: {
      name: 'Ada Byron',
      customFields: [
        { name: 'Visa', value: 'EU citizen' },
        { icon: 'phone', text: '+44 20 7946 0000', link: '' },
        { name: 'Mail', value: 'ada@home.example' },
      ],
      profiles: [{ network: 'MySpace', username: 'ada' }],
    },
  });
  assert.deepEqual(profile.resume.sections, [
    { title: 'Custom fields', entries: [{ name: 'Visa', details: 'EU citizen' }] },
    { title: 'Profiles', entries: [{ name: 'MySpace', details: 'ada' }] },
  ]);
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
    importPosition({ date: '2020', summary: `<p>${markup.repeat(1000)}` });
});
