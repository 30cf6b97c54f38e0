import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHtml } from 'resume-documents/html';
import { toMarkdown } from 'resume-documents/markdown';
import { toPlainText } from 'resume-documents/plain-text';
import { toJsonResume } from 'resume-profile/json-resume';
import type { Profile } from 'resume-profile/profile-document';
import { sample, small, whole } from './profiles.ts';

test('no export has values for the owner only', async () => {
  const profile = { ...sample, resume: { ...sample.resume, pdf_url: 'https://secret.example/resume.pdf' } };
  for (const text of [
    JSON.stringify(toJsonResume(profile, '1.2.3')),
    toMarkdown(profile),
    toPlainText(profile),
    await toHtml(profile),
  ])
    assert.doesNotMatch(text, /owner@|secret/);
});

test('roles at a company without a name are headings of the level of companies', async () => {
  const [job] = whole.experience;
  const profile = { ...whole, experience: [{ ...job!, company: '' }] };
  assert.match(toMarkdown(profile), /^### Lead Hydrologist/m);
  assert.match(await toHtml(profile), /<h3>Lead Hydrologist/);
});

test('text is escaped in Markdown', () => {
  const printed = (summary: string) =>
    /experience · .*?\n\n(.*?)\n\n## Exp/s.exec(
      toMarkdown({ ...small, candidate: { ...small.candidate, summary } }),
    )![1];
  for (const [text, markdown] of [
    ['5* and _em_, `open, ~~no~~, $x$', '5\\* and \\_em\\_, \\`open, \\~\\~no\\~\\~, \\$x\\$'],
    ['snake_case, 2 * 3, C# and A & B', 'snake_case, 2 \\* 3, C# and A & B'],
    ['[a](b) ![c](d) <b>e</b>', '\\[a\\](b) !\\[c\\](d) \\<b>e\\</b>'],
    ['&copy; &#42; \\', '\\&copy; \\&#42; \\\\'],
    ['# not a heading #', '\\# not a heading \\#'],
    ['-- not an item', '\\-- not an item'],
    ['--- ', '\\---'],
    ['+ neither', '\\+ neither'],
    ['12. nor this, 3. though', '12\\. nor this, 3. though'],
    ['> no quote', '\\> no quote'],
    ['-5 and 3.9/4.0 are themselves', '-5 and 3.9/4.0 are themselves'],
    ['one\n\ntwo\nthree\t\u001b[31mred', 'one\n\ntwo\n\nthree \\[31mred'],
  ] as const)
    assert.equal(printed(text), markdown);
});

const marked: Profile = {
  ...small,
  candidate: {
    ...small.candidate,
    summary: 'Wrote **two *long* [books](https://books.example/a_(b))** and `a*b`, 2 * 3\n- on\n  - *logs*',
  },
  // biome-ignore format: a table
  experience: [
    { ...small.experience[1]!, summary: '', roles: [{ ...small.experience[1]!.roles[0]!,
      accomplishments: ['Led **it**:\n- one\n- *two*', '1. [x](javascript:y)'] }] },
  ],
};

test('marks are Markdown in Markdown, elements in HTML, and as written in plain text and JSON Resume', async () => {
  const between = (text: string, start: string, end: string) => text.slice(text.indexOf(start), text.indexOf(end));
  assert.equal(
    between(toMarkdown(marked), 'Wrote', '## Projects'),
    `Wrote **two *long* [books](<https://books.example/a_(b)>)** and \`a*b\`, 2 \\* 3

- on
  - *logs*

## Experience

### Past & Sons

*Mar 2012 – Jun 2018*

#### Engineer

*Mar 2012 – Jan 2015*

- Led **it**:
  - one
  - *two*
- 1\\. \\[x\\](javascript:y)

`,
  );
  const page = await toHtml(marked);
  assert.ok(
    page.includes(
      '<p>Wrote <strong>two </strong><strong><em>long</em></strong><strong> </strong><a href="https://books.example/a_(b)" class="labelled"><strong>books</strong></a> and <code dir="auto">a*b</code>, 2 * 3</p>\n<ul>\n<li>on\n<ul>\n<li><em>logs</em></li>\n</ul>\n</li>\n</ul>',
    ),
    page,
  );
  assert.equal(
    between(toPlainText(marked), 'Wrote', 'Experience\n---'),
    'Wrote **two *long* [books](https://books.example/a_(b))** and `a*b`, 2 * 3\n\n- on\n  - *logs*\n\n',
  );
  assert.match(
    toPlainText(marked),
    /^ {2}- Led \*\*it\*\*:\n {4}- one\n {4}- \*two\*\n {2}- 1\. \[x\]\(javascript:y\)$/m,
  );
  assert.equal((toJsonResume(marked, '1.2.3').basics as { summary: string }).summary, marked.candidate.summary);
});

test('a URL cannot break out of its Markdown link', () => {
  const url = 'https://example.org/a)_b_?x=1&copy;';
  assert.match(
    toMarkdown({ ...small, resume: { skills: [], links: [{ label: 'a](b', url }] } }),
    /^\[a\\\]\(b\]\(<https:\/\/example\.org\/a\)_b_\?x=1&amp;copy;>\)$/m,
  );
});

test('plain text is underlined, indented and wrapped at 80 columns', () => {
  const [, past] = small.experience;
  const accomplishments = [
    `${'a'.repeat(70)} 12345`,
    `${'a'.repeat(70)} 123456`,
    `漢字${'漢'.repeat(60)}`,
    `https://example.org/${'a'.repeat(80)}`,
  ];
  const profile = { ...small, experience: [{ ...past!, roles: [{ ...past!.roles[0]!, accomplishments }] }] };
  assert.equal(
    toPlainText({ ...profile, projects: [] }),
    `Tess Example
============

Software Engineer

Lisbon, Portugal · +351 555 0100

12 years of experience · open to opportunities

Builds things that last.

Experience
----------

Past & Sons (Mar 2012 – Jun 2018)

Backend work.

  Engineer (Mar 2012 – Jan 2015)

  - ${'a'.repeat(70)} 12345
  - ${'a'.repeat(70)}
    123456
  - 漢字${'漢'.repeat(36)}
    ${'漢'.repeat(24)}
  - https://example.org/${'a'.repeat(80)}

Skills
------

Go, SQL

Domains
-------

Storage, Streaming
`,
  );
});

/** With a link that has a label, and one that has none. */
const linked: Profile = {
  ...small,
  resume: { skills: [], links: [{ label: 'Blog', url: 'https://blog.example' }, { url: 'https://example.org' }] },
};

test('plain text shows links with their labels, and rules as long as the longest line of the heading', () => {
  const text = toPlainText({ ...linked, candidate: { ...linked.candidate, name: `${'Word '.repeat(17)}end` } });
  assert.match(text, /^Blog: https:\/\/blog\.example · https:\/\/example\.org$/m);
  const [first, second, rule] = text.split('\n');
  assert.deepEqual([first, second, rule], ['Word '.repeat(16).trim(), 'Word end', '='.repeat(79)]);
});

test('a rule is as many columns wide as its heading takes on a terminal', () => {
  const ruleOf = (name: string) =>
    toPlainText({ ...linked, candidate: { ...linked.candidate, name } }).split('\n', 2)[1]!.length;
  for (const [name, columns] of [
    ['Zoe\u0308', 3],
    ['李明', 4],
    ['Ada 👩‍💻', 6],
    ['A\u200bda', 3],
  ] as const)
    assert.equal(ruleOf(name), columns, name);
});

test('text like a list or a rule is escaped at the end of a line, too', () => {
  const lineOf = (summary: string) =>
    toMarkdown({ ...linked, candidate: { ...linked.candidate, summary } }).split('\n\n')[5];
  assert.equal(lineOf('-'), '\\-');
  assert.equal(lineOf('1.'), '1\\.');
  assert.equal(lineOf('version 1. of it'), 'version 1. of it');
});

test('sections are in the order of the profile, a job of one role is on one line, references are printed', () => {
  assert.equal(
    toMarkdown(whole),
    `# Nora Lindqvist

Hydrologist

Uppsala, Sweden · nora@nora.example · +46 18 000 000

[LinkedIn](<https://www.linkedin.com/in/nora-example>) · <https://nora.example>

12 years of experience · open to advisory work

Models how rivers flood, and tells towns in time.

## Experience

### Watergauge · Uppsala

*Apr 2019 – present*

Forecasts for forty towns.

<https://watergauge.example>

#### Lead Hydrologist

*Jan 2022 – present*

- Halved the error of the two-day forecast

#### Hydrologist · Stockholm

*Apr 2019 – Dec 2021*

### Research Assistant, River Institute · Delft, Netherlands

*Sep 2014 – Mar 2019*

- Measured sediment in nine rivers

## Talks

### When the river comes, Nordic Water Days · Oslo

*Sep 2023*

Keynote.

- Two hundred listeners

<https://talks.example/river>

## Education

### Uppsala University, MSc, Hydrology · Uppsala

*2009 – Jun 2014*

passed with distinction

- Fluid mechanics
- Statistics

<https://uu.example>

### Delft Summer School

*2024 – present*

## Projects

### Floodmap, Maintainer

*May 2020 – present*

Maps of which streets flood first.

- Used by six towns
- Runs on a laptop

Python, GDAL

<https://floodmap.example> · <https://github.com/example/floodmap>

## Skills

**Modelling (Expert):** HEC-RAS, Python

**Field work:** Gauging, Surveying

## Domains

Hydrology, Early warning

## Certifications

### Diver, class B, Swedish Transport Agency

*May 2016*

Work under water to 50 metres.

<https://divers.example/nora>

## Languages

Swedish (native), Dutch

## Publications

### Sediment after the dam, Journal of Rivers

*2018*

J. de Vries, Nora Lindqvist, P. Holm

Why the river below the dam digs deeper.

<https://doi.example/10.1/sediment>

## Awards

### Young Hydrologist of the Year, Nordic Water Association

*Nov 2017*

For the measurements below the dam.

<https://nwa.example/2017>

## Volunteering

### Coordinator, Flood Watch · Uppsala

*Mar 2021 – present*

Thirty people who read gauges at night.

- Trained the volunteers

<https://floodwatch.example>

## Patents

**Float for a gauge:** SE 999 999

- A second one is pending

Both with the River Institute.

## Interests

Canoeing (white water, building boats), Choir

## References

### Prof. Anna Bos

Nora notices what others measure past.
`,
  );
  assert.doesNotMatch(
    toMarkdown({ ...whole, resume: { ...whole.resume, references: { ...whole.resume.references!, print: false } } }),
    /Anna Bos/,
  );
});

test('headings, months and the present are in the language of the resume', () => {
  const text = toPlainText({ ...whole, resume: { ...whole.resume, language: 'de' } });
  assert.match(text, /^Berufserfahrung\n-{15}\n\nWatergauge · Uppsala \(Apr\. 2019 – heute\)$/m);
  assert.doesNotMatch(text, /years of experience/);
  const chinese = toMarkdown({ ...whole, resume: { ...whole.resume, language: 'zh' } });
  for (const line of [
    '### Research Assistant，River Institute · Delft, Netherlands',
    '**Field work:** Gauging，Surveying',
  ])
    assert.ok(chinese.includes(`${line}\n`), line);
});

test('empty texts leave neither headings nor punctuation', () => {
  const candidate = { ...small.candidate, name: '', title: '', location: '', summary: '', domains: [] };
  const [job] = small.experience;
  const roles = ['', 'Engineer'].map((title) => ({
    ...job!.roles[0]!,
    title,
    accomplishments: [`As ${title || 'nobody'}`],
  }));
  const resume = {
    skills: [],
    skill_groups: [
      { level: 'Expert', skills: ['Go'] },
      { name: 'Rust', level: 'Novice', skills: [] },
    ],
  };
  const nameless = {
    ...small,
    candidate,
    experience: [{ ...job!, company: '', summary: '', roles }],
    projects: [],
    availability: { status: '' },
    resume,
  };
  assert.equal(
    toMarkdown(nameless),
    `# Resume

12 years of experience

## Experience

*Jul 2018 – present*

- As nobody

### Engineer

*Jul 2018 – present*

- As Engineer

## Skills

**Expert:** Go

Rust (Novice)
`,
  );
  assert.match(toMarkdown({ ...nameless, candidate: { ...candidate, title: 'Engineer' } }), /^# Engineer\n\n12 years/);
});

test('consecutive bullets of a section are one list, and its entries keep their order', () => {
  const entries = [{ bullet: 'One' }, { bullet: 'Two' }, { text: 'Between.' }, { bullet: 'Three', name: 'Named' }];
  const resume = { skills: [], sections: [{ title: 'Notes', entries }] };
  assert.match(
    toMarkdown({ ...small, resume }),
    /\n## Notes\n\n- One\n- Two\n\nBetween\.\n\n- Three\n\n\*\*Named\*\*\n$/,
  );
});

test('a section that is titled like one with a key continues it, and stands where the order names either', () => {
  const sections = [{ title: 'Skills', entries: [{ text: 'Patience.' }] }];
  const text = toMarkdown({ ...small, resume: { skills: ['Go'], sections, order: ['Skills'] } });
  assert.match(text, /\n## Skills\n\nGo\n\nPatience\.\n\n## Experience\n/);
  assert.equal(text.match(/## Skills/g)?.length, 1);
});

test('the summary comes first unless the order names it; of a section named twice the first place counts', () => {
  const headingsIn = (...order: string[]) =>
    toMarkdown({ ...small, resume: { skills: ['Go'], order } }).match(/^## .*|^Builds.*/gm);
  const rest = ['## Experience', '## Projects', '## Domains'];
  assert.deepEqual(headingsIn('skills'), ['Builds things that last.', '## Skills', ...rest]);
  assert.deepEqual(headingsIn('skills', 'summary', 'skills'), ['## Skills', 'Builds things that last.', ...rest]);
});

test('the roles at a company without a name have its place, each beside its own title', () => {
  const role = { title: 'Clerk', start_date: '2019-01-01', end_date: '2020-12-31', accomplishments: [] };
  const job = { ...small.experience[0]!, company: '', location: 'Faro', roles: [{ ...role, title: 'Head' }, role] };
  assert.match(toMarkdown({ ...small, experience: [job] }), /### Head · Faro\n[^#]*### Clerk · Faro\n/);
});
