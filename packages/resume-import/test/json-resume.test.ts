import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonResume } from 'resume-import/readers/json-resume';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse, stringify } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { readFixture } from './corpus.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), jsonResume);

for (const path of [
  'jsonresume-sample.json',
  'jsonresume-senior-engineer.json',
  'jsonresume-hard.json',
  'jsonresume-legacy.json',
  'jsonresume-caffeine.json',
  'jsonresume-new-grad.json',
  'jsonresume-stackoverflow.json',
  'jsonresume-further.json',
  'jsonresume-years.json',
])
  test(`${path} gives the expected profile and loss report`, () => {
    assertExpected(path, jsonResume);
  });

test('a resume written as YAML gives the same profile as one written as JSON', () => {
  const json = readFixture('jsonresume-sample.json');
  assert.equal(importText(stringify(JSON.parse(json))).yaml, importText(json).yaml);
});

test('numbers are kept as written', () => {
  const { yaml } = importText(
    '{"basics": {"name": "A", "phone": +4930123}, "education": [{"institution": "U", "score": 3.90}]}',
  );
  assert.match(yaml, /phone: "\+4930123"/);
  assert.match(yaml, /score: "3.90"/);
});

test('of repeated keys the last is used, and the loss report names the first', () => {
  const { yaml, report } = importText('{"basics": {"name": "First", "name": "Last"}}');
  assert.match(yaml, /name: Last\n/);
  assert.deepEqual(report.notCarriedOver, [
    {
      where: 'basics.name',
      value: 'First',
      why: 'The key is repeated further down; the last one is used',
      isNoted: true,
    },
  ]);
});

const resumeOf = (resume: object) => parse(importText(JSON.stringify(resume)).yaml);

test('skills of one level or category become a group, and a plain list of skills stays one', () => {
  const skills = [
    { name: 'Go', level: 'Expert' },
    { name: 'SQL', level: 'Basic' },
    { name: 'Rust', level: 'Expert' },
    'Typing',
    { name: 'Latin', category: 'Languages of old' },
    { name: 'Web', keywords: ['HTML', 'CSS'] },
  ];
  assert.deepEqual(resumeOf({ skills }).resume.skill_groups, [
    { level: 'Expert', skills: ['Go', 'Rust'] },
    { level: 'Basic', skills: ['SQL'] },
    { name: 'Languages of old', skills: ['Latin'] },
    { name: 'Web', skills: ['HTML', 'CSS'] },
    { skills: ['Typing'] },
  ]);
  const { candidate, resume } = resumeOf({
    skills: [{ name: 'Go' }, 'SQL', { name: 'Rust', keywords: [], level: '' }],
  });
  assert.deepEqual([candidate.domains, resume], [[], { skills: ['Go', 'SQL', 'Rust'] }]);
});

test('fields that JSON Resume does not have are kept under their own names, and icons are not', () => {
  const { experience, projects, resume } = resumeOf({
    work: [{ name: 'Mill', position: 'Clerk', startDate: '2020', techStack: ['Go', 'SQL'], logo: 'mill.png' }],
    projects: [{ name: 'Engine', githubUrl: 'https://github.com/ada/engine', entity: 'Royal Society', stars: 12 }],
    certificates: [{ name: 'CKA', credentialId: 'X-1' }],
    education: [{ institution: 'London', minor: 'Poetry', courses: ['Algebra'] }],
  });
  assert.deepEqual(experience[0].roles[0].accomplishments, ['Tech stack: Go, SQL']);
  assert.deepEqual(projects[0], {
    id: 'proj_engine',
    name: 'Engine',
    summary: '',
    role: 'Royal Society',
    highlights: ['Stars: 12'],
    links: { github: 'https://github.com/ada/engine' },
  });
  assert.deepEqual(resume.certifications, [{ name: 'CKA', summary: 'Credential id: X-1' }]);
  assert.deepEqual(resume.education, [{ institution: 'London', details: ['Algebra', 'Minor: Poetry'] }]);
});

test('what a skill or certificate says in addition is not part of its name, and flags are left out', () => {
  const { resume } = resumeOf({
    skills: [{ name: 'Web', level: 'Advanced', keywords: ['CSS'], keyword: ['since 2010'], meta: { core: true } }],
    interests: [{ name: 'Food', summary: 'I try new recipes.' }],
    certificates: [{ name: 'CKA', awarder: 'CNCF' }],
  });
  assert.deepEqual(resume.skill_groups, [{ name: 'Web', level: 'Advanced, Keyword: since 2010', skills: ['CSS'] }]);
  assert.deepEqual(resume.interests, [{ name: 'Food', keywords: ['I try new recipes.'] }]);
  assert.deepEqual(resume.certifications, [{ name: 'CKA', issuer: 'CNCF' }]);
});

test('a second address and phone number of a person are not served as a section', () => {
  const { resume } = resumeOf({
    basics: {
      name: 'Ada',
      alternateContact: { city: 'Turin', address: 'Via Po 1', postalCode: '10124', phone: '011' },
    },
  });
  assert.deepEqual(resume.sections, [{ title: 'Basics', entries: [{ name: 'Alternate contact', details: 'Turin' }] }]);
});

test('a private value of basics is not in the profile and does not count as content', () => {
  const text =
    '{"basics": {"name": "Ada", "birthDate": "1815-12-10", "location": {"postalCode": "SW1Y", "city": "London"}}}';
  assert.doesNotMatch(importText(text).yaml, /1815|SW1Y/);
  const { tree, leaves } = readTree(text);
  jsonResume.toDraft(toCursor(tree));
  assert.deepEqual(
    leaves.filter(({ isContent }) => isContent).map(({ where }) => where),
    ['basics.name', 'basics.location.city'],
  );
});

test('Markdown, HTML and bullets in a description are read as themes show them, nested lists as one', () => {
  const { candidate, experience, projects } = resumeOf({
    basics: { name: 'Ada<br>Byron' },
    work: [
      [
        {
          name: 'Mill',
          position: 'Clerk',
          startDate: '2020',
          summary: '<p>Kept <b>the</b> books.</p><ul><li>Found errors</li><li>Fed the cat</li></ul>',
          highlights: ['Cut **run time** by 40 %', ['Wrote [notes](https://notes.example) on _R&D_']],
        },
      ],
    ],
    projects: [{ name: 'Engine', description: 'Counts.\n- Adds\n- Divides', url: 'https://ada.example/_engine_' }],
  });
  assert.equal(candidate.name, 'Ada Byron');
  assert.equal(experience[0].summary, 'Kept **the** books.');
  assert.deepEqual(experience[0].roles[0].accomplishments, [
    'Found errors',
    'Fed the cat',
    'Cut **run time** by 40 %',
    'Wrote [notes](https://notes.example) on *R&D*',
  ]);
  assert.deepEqual(
    [projects[0].summary, projects[0].highlights, projects[0].links.live],
    ['Counts.', ['Adds', 'Divides'], 'https://ada.example/_engine_'],
  );
});

test('what has no place in a profile, or only in part, is a note as the resume has it', () => {
  const { profile } = importText(
    JSON.stringify({
      basics: { name: 'Ada', email: 'ada at example.org' },
      work: [{ name: 'Mill', startDate: 'Summer 2010', remote: true, class: 'Employee of the year', style: 'bold' }],
      awards: [{ awarder: 'Society', date: '2019' }],
    }),
  );
  assert.deepEqual(profile.notes, [
    'basics.email: ada at example.org',
    'work[0].startDate: Summer 2010',
    'work[0].remote: true',
    'work[0].class: Employee of the year',
    'awards[0].awarder: Society',
    'awards[0].date: 2019',
  ]);
  assert.equal(profile.experience[0]!.company_start_date, '2010');
});

test('a link has the label of any of its repetitions, an account its user name if its address lacks it', () => {
  const { resume } = resumeOf({
    basics: {
      url: 'https://ada.example',
      profiles: [
        { network: 'Home', url: 'https://ada.example' },
        { network: 'GitLab', username: 'Ada King', url: 'https://gitlab.com/adaking' },
        { network: 'GitHub', username: 'ada', url: 'https://github.com/ada' },
      ],
    },
  });
  assert.deepEqual(resume.links, [
    { label: 'Home', url: 'https://ada.example' },
    { label: 'GitLab: Ada King', url: 'https://gitlab.com/adaking' },
    { label: 'GitHub', url: 'https://github.com/ada' },
  ]);
});

test('a member is a setting by its whole name: ideas and languages that somebody speaks are not', () => {
  const { resume, notes } = resumeOf({
    basics: { name: 'Ada' },
    ideas: ['Flying machines'],
    languagesSpoken: ['Turkish'],
    lang: 'en',
    themeOptions: { colour: 'red' },
    id: '1',
  });
  assert.deepEqual(resume.sections, [
    { title: 'Ideas', entries: [{ bullet: 'Flying machines' }] },
    { title: 'Languages spoken', entries: [{ bullet: 'Turkish' }] },
  ]);
  assert.equal(notes, undefined);
});
