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
  assert.equal(
    toProfileYaml(profile, { schema, checkCommand: 'candidate-profile check ada.yaml' }),
    `# yaml-language-server: $schema=../profile.schema.json
#
# Your profile. To check it: candidate-profile check ada.yaml
# An editor that knows the first line completes and checks as you type. While the service runs, a save takes effect
# within a second; a save with a fault does not, and the log says why.
#
# Dates are as precise as you like: 2018, 2018-03, 2018-03-05. An end that is left out, or null, means "still going on".

# Where the service writes to you: who asked for access, and who sent a message. Visitors never see it.
# OWNER_EMAIL overrides it.
owner_email: ada@example.org

# Who you are. You choose the id, like every id here. Programs refer to it, so do not change it.
candidate:
  id: ada
  name: "Ada: Countess"
  title: Analyst
  location: London
  summary: Writes.
  years_experience: 3
  domains: []

# One entry a company, with every role held there; shown ongoing first, then by latest end, unless resume says
# \`experience_order: as_written\`. \`current\` is true exactly while company_end_date is null. A role may have a summary.
# The page and the PDF show a location and url too, and the location of a role.
#
# An entry looks like this; remove the [] below when you write the first:
#
#   - id: exp_example
#     company: Example Ltd
#     company_start_date: 2020-02-01
#     company_end_date: null
#     current: true
#     summary: What you do there, in a sentence.
#     roles:
#       - title: Engineer
#         start_date: 2020-02-01
#         end_date: null
#         accomplishments:
#           - Something you are proud of
experience: []

# Shown in this order. \`tags\` and each of the links github, live and details may be left out; role, start_date,
# end_date and highlights are on the page and in the PDF only.
#
# A project looks like this; remove the [] below when you write the first:
#
#   - id: proj_example
#     name: Example
#     summary: What it does, in a sentence.
#     tags: [Go]
#     links:
#       github: https://github.com/example/example
projects: []

# Whether you can be approached, in any words you like.
availability:
  status: open

# The skills are given as \`skills\` or in \`skill_groups\`. The rest is optional, and on the page and in the PDF: email,
# phone, links, education, certifications, languages, publications, awards, volunteer, interests, references (with
# \`print: true\`), and \`sections\` of your own. \`hides: {page: [phone]}\` keeps it off the page, \`pdf\` off the PDF. \`order\` says
# which section comes first, \`titles\` what they are called; \`language\`, such as de, is that of the headings and of the
# page. With pdf_url, visitors get a link to that PDF instead of the generated one.
resume:
  skills:
    - Go

# Whether the programs of visitors can read education, certifications, languages, publications, awards, volunteer and
# sections, as visitors can on the page. They cannot if this key is left out.
# background: true

# Whether the programs of visitors can send the text of a job and get what of the profile touches its requirements. They
# cannot if this key is left out.
# evidence: true

# What everybody can see without giving an address: fields of \`candidate\`, of the summary its first sentence;
# \`availability\`; and \`counts\`, how many jobs and projects there are. [] for nothing.
public: []
`,
  );
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
