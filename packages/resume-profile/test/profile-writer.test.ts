import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { everySectionPath, readProfile } from './documents.ts';

const schema = '../profile.schema.json';
const profile: Profile = {
  owner_email: 'ada@example.org',
  candidate: {
    id: 'ada',
    name: 'Ada: Countess',
    title: 'Analyst',
    location: 'London',
    summary: 'Writes.',
    years_experience: 3,
    domains: [],
  },
  experience: [],
  projects: [],
  availability: { status: 'open' },
  resume: { skills: ['Go'] },
  public: [],
};

test('a new document explains each section, and shows an example entry in each empty list', () => {
  const text = toProfileYaml(profile, { schema, checkCommand: 'candidate-profile check ada.yaml' });
  const [head, ...sections] = text.split('\n\n');
  assert.match(
    head!,
    /^# yaml-language-server: \$schema=..\/profile.schema.json\n#\n# .* To check it: candidate-profile check ada.yaml\n/,
  );
  assert.deepEqual(
    sections.map((section) => section.replace(/^(?!# \w+: true)#.*\n/gm, '')),
    [
      'owner_email: ada@example.org',
      'candidate:\n  id: ada\n  name: "Ada: Countess"\n  title: Analyst\n  location: London\n  summary: Writes.\n  years_experience: 3\n  domains: []',
      'experience: []',
      'projects: []',
      'availability:\n  status: open',
      'resume:\n  skills:\n    - Go',
      '# background: true',
      '# evidence: true',
      'public: []\n',
    ],
  );
  for (const section of sections) assert.match(section, /^# \p{Lu}.*\n/u);
  assert.match(
    sections[2]!,
    /\n#\n# An entry looks like this; remove the \[\] below when you write the first:\n#\n# {3}- id: exp_example\n[\s\S]*\nexperience: \[\]$/,
  );
  assert.match(sections[3]!, /\n# {3}- id: proj_example\n[\s\S]*\nprojects: \[\]$/);
});

test('a list with entries has no example, and an absent value has no section', () => {
  const project = { id: 'p', name: 'P', summary: 'S', links: {} };
  const text = toProfileYaml({ ...profile, projects: [project] }, { schema });
  assert.doesNotMatch(text, /A project looks like this|accent:/);
  assert.match(text, /^# end_date and highlights .*\nprojects:\n {2}- id: p\n/m);
});

test('each text that nobody has written says on its line what to write, and so does a missing address', () => {
  const { owner_email: _, ...withoutAddress } = profile;
  const unwritten: Profile = {
    ...withoutAddress,
    candidate: { ...profile.candidate, name: '', title: '', location: '', summary: '' },
    // biome-ignore format: a table
    experience: [
      { id: 'job', company: '', company_start_date: '2020-01-01', company_end_date: null, current: true, summary: '',
        roles: [{ title: '', start_date: '2020-01-01', end_date: null, accomplishments: [] }] },
    ],
    projects: [{ id: 'p', name: '', summary: '', links: {} }],
    availability: { status: '' },
  };
  const text = toProfileYaml(unwritten, { schema });
  assert.deepEqual(text.match(/^.*TODO.*$/gm), [
    '# owner_email: # TODO: write your address; serve refuses to start without it or OWNER_EMAIL',
    '  name: "" # TODO: write the name that visitors should see',
    '  title: "" # TODO: write your title, such as Staff Engineer',
    '  location: "" # TODO: write your city or region',
    '  summary: "" # TODO: introduce yourself in two or three sentences',
    '    company: "" # TODO: write the name of the company',
    '    summary: "" # TODO: say in a sentence what you did there',
    '      - title: "" # TODO: write the title that you had',
    '    name: "" # TODO: write the name of the project',
    '    summary: "" # TODO: say in a sentence what it is',
    '  status: "" # TODO: say whether you can be approached',
  ]);
  assert.deepEqual(readProfileText(text).profile, unwritten);
});

test('every key of a profile reads back as written, and skills once if the groups imply them', () => {
  const whole = readProfile(everySectionPath).profile!;
  const text = toProfileYaml(whole, { schema });
  assert.deepEqual(readProfileText(text).profile, whole);
  assert.doesNotMatch(text, /^ {2}skills:/m);
  assert.match(text, /^background: true$/m);
  const more = { ...whole, resume: { ...whole.resume, skills: ['Python', 'HEC-RAS'] } };
  assert.deepEqual(readProfileText(toProfileYaml(more, { schema })).profile, more);
});

test('a picture in the resume that was imported is mentioned, by its address if it has one', () => {
  const linesFor = (photo: string) => toProfileYaml(profile, { schema, photo }).match(/^ {2}#.*$/gm);
  assert.deepEqual(linesFor('https://ada.dev/me.png'), [
    '  # Your resume has a picture, https://ada.dev/me.png. To print one, save it beside this file and remove the next #.',
    '  # photo: photo.jpg',
  ]);
  assert.deepEqual(linesFor('data:image/png;base64,aaaa\nowner_email: eve@evil.dev'), [
    '  # Your resume has a picture. To print one, save it beside this file and remove the next #.',
    '  # photo: photo.jpg',
  ]);
});

test('prose of 92 characters and more is folded; shorter text, keys and text with spaces around it are not', () => {
  const summaryOf = (summary: string) =>
    /^ {2}summary:.*$/m.exec(
      toProfileYaml({ ...profile, candidate: { ...profile.candidate, summary } }, { schema }),
    )![0];
  const prose = (length: number) => `${'word '.repeat(20).slice(0, length - 1)}.`;
  assert.equal(summaryOf(prose(92)), '  summary: >-');
  assert.equal(summaryOf(prose(91)), `  summary: ${prose(91)}`);
  assert.equal(summaryOf(` ${prose(95)}`), `  summary: " ${prose(95)}"`);
  assert.equal(summaryOf(`${prose(95)} `), `  summary: "${prose(95)} "`);
});

test('text in quotes stays on its line, and text that occurs twice is written twice', () => {
  const quoted = `${'word '.repeat(40)}: "quoted"\n`;
  const text = toProfileYaml({ ...profile, resume: { skills: [quoted, quoted] } }, { schema });
  assert.equal(text.split('"\n').filter((line) => line.includes('quoted')).length, 2);
  assert.doesNotMatch(text, /[&*]a1/);
});
