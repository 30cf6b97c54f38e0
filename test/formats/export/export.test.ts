import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { toJsonResume } from '../../../src/formats/export/json-resume.ts';
import { toMarkdown } from '../../../src/formats/export/markdown.ts';
import { toPlainText } from '../../../src/formats/export/plain-text.ts';
import { importProfile } from '../../../src/formats/import/import-profile.ts';
import type { Profile } from '../../../src/model/profile-document.ts';
import { samplePath } from '../../../src/service/config.ts';
import { fixture } from '../../support/files.ts';

const sample = readProfile(samplePath).profile!;
const small = readProfile(fixture('profile.yaml')).profile!;

/** Edge cases: an entry longer than its roles, one without roles, coarse and missing dates, a link without a label after one with. */
const awkward: Profile = {
  ...small,
  experience: [
    {
      ...small.experience[0]!,
      roles: [{ title: 'Lead', start_date: '2019-01-01', end_date: '2020-12-31', accomplishments: [] }],
    },
    { ...small.experience[1]!, roles: [] },
  ],
  projects: [{ id: 'proj', name: 'P', summary: 'S', links: { details: 'https://p.example/%C3%A4' } }],
  resume: {
    skills: [],
    email: 'tess@example.org',
    links: [{ label: 'Blog', url: 'https://blog.example.org' }, { url: 'https://example.org' }],
    education: [
      { institution: 'U', start_date: '2001', end_date: null },
      { institution: 'V', end_date: '2003-05', details: ['Thesis'] },
    ],
    certifications: [{ name: 'C', date: '2019' }],
    publications: [{ name: 'Paper', date: '2019-02', url: 'https://example.org/paper' }],
  },
};

/** The exported JSON, parsed. */
const exported = (profile: Profile) => JSON.parse(JSON.stringify(toJsonResume(profile, '1.2.3')));

const importedAgain = (profile: Profile) => importProfile(Buffer.from(JSON.stringify(exported(profile))), '2026-11-21');

test('an exported JSON Resume is valid against its schema, dates and addresses included', () => {
  const schema = JSON.parse(readFileSync(fixture('jsonresume.schema.json'), 'utf8'));
  const validate = addFormats.default(new Ajv({ allErrors: true })).compile(schema);
  for (const profile of [sample, small, awkward]) {
    validate(exported(profile));
    assert.deepEqual(validate.errors ?? [], []);
  }
});

test('an entry with several roles becomes as many work items of one company, its summary with the first', () => {
  assert.deepEqual(exported(small).work, [
    {
      id: 'exp_now',
      name: 'Nów GmbH',
      position: 'Staff Engineer',
      startDate: '2018-07-01',
      highlights: [],
      summary: 'Platform work.',
    },
    {
      id: 'exp_past',
      name: 'Past & Sons',
      position: 'Engineer',
      startDate: '2012-03-01',
      endDate: '2015-01-01',
      highlights: ['Wrote the importer'],
      summary: 'Backend work.',
    },
    {
      id: 'exp_past',
      name: 'Past & Sons',
      position: 'Senior Engineer',
      startDate: '2015-01-01',
      endDate: '2018-06-30',
      highlights: ['Led the rewrite', 'Halved the cost'],
    },
  ]);
});

test('dates at a company that its roles do not imply are exported as well', () => {
  const [now, past] = exported(awkward).work;
  assert.deepEqual([now.companyStartDate, now.companyEndDate], ['2018-07-01', 'present']);
  assert.deepEqual(past, {
    id: 'exp_past',
    name: 'Past & Sons',
    startDate: '2012-03-01',
    endDate: '2018-06-30',
    summary: 'Backend work.',
  });
});

test('each value is in its JSON Resume field, or in a field of our own beside it', () => {
  const { $schema, work, ...rest } = exported(awkward);
  assert.deepEqual(rest, {
    basics: {
      id: 'cand_test',
      name: 'Tess Example',
      label: 'Software Engineer',
      email: 'tess@example.org',
      summary: 'Builds things that last.',
      location: { city: 'Lisbon, Portugal' },
      profiles: [{ network: 'Blog', url: 'https://blog.example.org' }, { url: 'https://example.org' }],
      yearsExperience: 12,
      domains: ['Storage', 'Streaming'],
      availability: 'open to opportunities',
    },
    projects: [
      {
        id: 'proj',
        name: 'P',
        description: 'S',
        url: 'https://p.example/%C3%A4',
        links: { details: 'https://p.example/%C3%A4' },
      },
    ],
    skills: [],
    education: [
      { institution: 'U', startDate: '2001' },
      { institution: 'V', endDate: '2003-05', courses: ['Thesis'] },
    ],
    certificates: [{ name: 'C', date: '2019' }],
    publications: [{ name: 'Paper', releaseDate: '2019-02', url: 'https://example.org/paper' }],
    meta: { version: 'v1.0.0', generator: 'candidate-profile 1.2.3' },
  });
});

test('no export has values for the owner only', () => {
  const profile = { ...sample, resume: { ...sample.resume, pdf_url: 'https://secret.example/resume.pdf' } };
  for (const text of [JSON.stringify(exported(profile)), toMarkdown(profile), toPlainText(profile)])
    assert.doesNotMatch(text, /owner@|secret/);
});

test('importing the export restores the profile, including ids', async () => {
  const { profile, lossReport } = await importedAgain(sample);
  // Notices go to the address of the resume, because owner_email is not exported.
  assert.deepEqual(profile, { ...sample, owner_email: 'lena.vasquez@example.com' });
  assert.deepEqual(lossReport.changed, []);
  assert.deepEqual(
    lossReport.notCarriedOver.map(({ where }) => where),
    ['$schema', 'meta.version', 'meta.generator'],
  );
});

test('Markdown has headings by level, and sections only if there is data for them', () => {
  assert.equal(
    toMarkdown({ ...awkward, resume: { ...awkward.resume, education: [], publications: [] } }),
    `# Tess Example

Software Engineer

Lisbon, Portugal · tess@example.org

[Blog](<https://blog.example.org>) · <https://example.org>

12 years of experience · open to opportunities

Builds things that last.

## Experience

### Nów GmbH

*Jul 2018 – present*

Platform work.

#### Lead

*Jan 2019 – Dec 2020*

### Past & Sons

*Mar 2012 – Jun 2018*

Backend work.

## Projects

### P

S

<https://p.example/%C3%A4>

## Domains

Storage, Streaming

## Certifications

### C

*2019*
`,
  );
});

test('text is escaped in Markdown', () => {
  const printed = (summary: string) =>
    /experience · .*?\n\n(.*?)\n\n## Exp/s.exec(
      toMarkdown({ ...small, candidate: { ...small.candidate, summary } }),
    )![1];
  for (const [text, markdown] of [
    ['*bold* and _em_, `code`, ~~no~~, $x$', '\\*bold\\* and \\_em\\_, \\`code\\`, \\~\\~no\\~\\~, \\$x\\$'],
    ['snake_case, 2 * 3, C# and A & B', 'snake_case, 2 \\* 3, C# and A & B'],
    ['[a](b) ![c](d) <b>e</b>', '\\[a\\](b) !\\[c\\](d) \\<b>e\\</b>'],
    ['&copy; &#42; \\', '\\&copy; \\&#42; \\\\'],
    ['# not a heading #', '\\# not a heading \\#'],
    ['- not an item', '\\- not an item'],
    ['--- ', '\\---'],
    ['+ neither', '\\+ neither'],
    ['12. nor this, 3. though', '12\\. nor this, 3. though'],
    ['> no quote', '\\> no quote'],
    ['-5 and 3.9/4.0 are themselves', '-5 and 3.9/4.0 are themselves'],
    ['one\n\ntwo\nthree\t\u001b[31mred', 'one\n\ntwo\n\nthree \\[31mred'],
  ] as const)
    assert.equal(printed(text), markdown);
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

/** Every field of the outline at least once, with some optional ones missing. */
const full: Profile = {
  ...small,
  candidate: { ...small.candidate, years_experience: 1, summary: 'First line.\n \n\nSecond line.', domains: [] },
  experience: [],
  projects: [{ id: 'p', name: 'Linked', summary: 'S', tags: ['go', 'raft'], links: { live: 'https://live.example' } }],
  resume: {
    skills: ['Go'],
    links: [{ label: 'Blog', url: 'https://blog.example' }, { url: 'https://example.org' }],
    education: [
      {
        institution: 'University',
        degree: 'MSc',
        area: 'Mathematics',
        score: '1.0',
        url: 'https://u.example',
        start_date: '2001-02',
        end_date: '2003-04',
        details: ['Thesis', 'Prize'],
      },
      { institution: 'School', end_date: '1999-05' },
    ],
    certifications: [{ name: 'Certificate', date: '2019-08-09', issuer: 'Issuer', url: 'https://c.example' }],
    languages: [{ language: 'English', fluency: 'native' }, { language: 'French' }],
    publications: [
      { name: 'Paper', date: '2019-09', publisher: 'Press', url: 'https://p.example', summary: 'One.\nTwo.' },
      { name: 'Note', date: '2019-10' },
      { name: 'Letter', date: '2019-11' },
    ],
  },
};

test('each section shows all its fields, in Markdown', () => {
  assert.equal(
    toMarkdown(full),
    `# Tess Example

Software Engineer

Lisbon, Portugal

[Blog](<https://blog.example>) · <https://example.org>

1 year of experience · open to opportunities

First line.

Second line.

## Projects

### Linked

*go, raft*

S

<https://live.example>

## Skills

Go

## Education

### University

*Feb 2001 – Apr 2003*

MSc · Mathematics · 1.0

<https://u.example>

- Thesis
- Prize

### School

*May 1999*

## Certifications

### Certificate

*Aug 2019*

Issuer

<https://c.example>

## Languages

English (native), French

## Publications

### Paper

*Sep 2019*

Press

One.

Two.

<https://p.example>

### Note

*Oct 2019*

### Letter

*Nov 2019*
`,
  );
});

test('plain text shows links with their labels, and rules as long as the longest line of the heading', () => {
  const text = toPlainText({ ...full, candidate: { ...full.candidate, name: `${'Word '.repeat(17)}end` } });
  assert.match(text, /^Blog: https:\/\/blog\.example · https:\/\/example\.org$/m);
  const [first, second, rule] = text.split('\n');
  assert.deepEqual([first, second, rule], ['Word '.repeat(16).trim(), 'Word end', '='.repeat(79)]);
});

test('a rule is as many columns wide as its heading takes on a terminal', () => {
  const ruleOf = (name: string) =>
    toPlainText({ ...full, candidate: { ...full.candidate, name } }).split('\n', 2)[1]!.length;
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
    toMarkdown({ ...full, candidate: { ...full.candidate, summary } }).split('\n\n')[5];
  assert.equal(lineOf('-'), '\\-');
  assert.equal(lineOf('1.'), '1\\.');
  assert.equal(lineOf('version 1. of it'), 'version 1. of it');
});

test('JSON Resume gets the homepage from the first link if it has no label, and the first day from the earliest role', () => {
  const [role] = small.experience[1]!.roles;
  const roles = [
    { ...role!, start_date: '2014-01-01', end_date: '2018-06-30' },
    { ...role!, start_date: '2012-03-01', end_date: '2014-01-01' },
  ];
  const { basics, work, projects } = exported({
    ...full,
    experience: [{ ...small.experience[1]!, roles }],
    projects: [{ ...full.projects[0]!, links: { live: 'https://live.example', github: 'https://github.com/x' } }],
    resume: { ...full.resume, links: [{ url: 'https://example.org' }, { label: 'Blog', url: 'https://blog.example' }] },
  });
  assert.equal(basics.url, 'https://example.org');
  assert.deepEqual(basics.profiles, [{ network: 'Blog', url: 'https://blog.example' }]);
  assert.equal(work[0].companyStartDate, undefined);
  assert.equal(projects[0].url, 'https://live.example');
});
