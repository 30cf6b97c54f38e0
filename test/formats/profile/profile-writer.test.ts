import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toProfileYaml } from '../../../src/formats/profile/profile-writer.ts';
import type { Profile } from '../../../src/model/profile-document.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
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
    toProfileYaml(profile, examples, 'candidate-profile check ada.yaml'),
    `# yaml-language-server: $schema=../profile.schema.json
#
# Your profile. To check it: candidate-profile check ada.yaml
# An editor that knows the first line completes and checks as you type. While the service runs, a save takes effect
# within a second; a save with a fault does not, and the log says why.
#
# Dates are YYYY-MM-DD. An end date that is left out, or null, means "still going on".

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

# One entry a company, with every role held there; shown newest first. \`current\` is true exactly while
# company_end_date is null.
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

# Shown in this order. \`tags\` and each of the links github, live and details may be left out.
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

# All but the skills is optional and printed in the PDF only: email, phone, links, education, certifications,
# languages, publications. With pdf_url, visitors get a link to that PDF instead of the generated one.
resume:
  skills:
    - Go

# Which fields of \`candidate\` the landing page may show to everybody; [] for none.
public: []
`,
  );
});

test('a list with entries has no example, and an absent value has no section', () => {
  const { owner_email: _, ...withoutAddress } = profile;
  const project = { id: 'p', name: 'P', summary: 'S', links: {} };
  const text = toProfileYaml({ ...withoutAddress, projects: [project] }, examples);
  assert.doesNotMatch(text, /A project looks like this|owner_email:/);
  assert.match(text, /^# Shown in this order\. .*\nprojects:\n {2}- id: p\n/m);
});

test('prose of 92 characters and more is folded; shorter text, keys and text with spaces around it are not', () => {
  const summaryOf = (summary: string) =>
    /^ {2}summary:.*$/m.exec(toProfileYaml({ ...profile, candidate: { ...profile.candidate, summary } }, examples))![0];
  const prose = (length: number) => `${'word '.repeat(20).slice(0, length - 1)}.`;
  assert.equal(summaryOf(prose(92)), '  summary: >-');
  assert.equal(summaryOf(prose(91)), `  summary: ${prose(91)}`);
  assert.equal(summaryOf(` ${prose(95)}`), `  summary: " ${prose(95)}"`);
  assert.equal(summaryOf(`${prose(95)} `), `  summary: "${prose(95)} "`);
});

test('text in quotes stays on its line, and text that occurs twice is written twice', () => {
  const quoted = `${'word '.repeat(40)}: "quoted"\n`;
  const text = toProfileYaml({ ...profile, resume: { skills: [quoted, quoted] } }, examples);
  assert.equal(text.split('"\n').filter((line) => line.includes('quoted')).length, 2);
  assert.doesNotMatch(text, /[&*]a1/);
});
