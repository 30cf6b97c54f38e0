import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf } from '../../../src/model/profile/differences.ts';

const inWords = (old: unknown, value: unknown): string =>
  differencesOf(old, value)
    .map(({ text, isName }) => (isName ? `*${text}*` : text))
    .join('');

const engineer = { title: 'Engineer', start_date: '2020', accomplishments: ['Built a store'] };
const profile = {
  candidate: { name: 'Ada', summary: 'Builds.' },
  experience: [
    { id: 'exp_one', company: 'Confluent', summary: '', roles: [engineer] },
    { id: 'exp_two', company: 'Dropbox', roles: [] },
  ],
  resume: { skills: ['Go', 'SQL'], links: [{ url: 'https://ada.example' }] },
};
const [confluent, dropbox] = profile.experience;

const cases: readonly [title: string, value: unknown, expected: string][] = [
  ['documents that hold the same', structuredClone(profile), ''],
  // biome-ignore format: a table
  [
    'an added role and a changed text',
    { ...profile, candidate: { name: 'Ada', summary: 'Builds more.' }, experience: [{ ...confluent, roles: [{ ...engineer,
      title: 'Staff Engineer', start_date: '2022' }, engineer] }, dropbox] },
    'Summary changed; role *Staff Engineer* added to *Confluent*',
  ],
  // biome-ignore format: a table
  [
    'several fields of an entry',
    { ...profile, experience: [{ ...confluent, company: 'Confluent Inc.', id: 'exp_one', url: 'https://a.example',
      summary: 'x' }, dropbox] },
    'Company of *Confluent Inc.* changed; summary and url of *Confluent Inc.* added',
  ],
  [
    'what other readers see',
    {
      ...profile,
      public: ['location'],
      resume: { ...profile.resume, hides: { page: ['phone'], programs: ['awards'] } },
    },
    'Phone no longer on the page; awards no longer for programs; location shown to everyone',
  ],
  ['a new version for readers', { ...profile, views: { acme: {} } }, 'Version *acme* added'],
  [
    'an end of a job, which says whether it goes on',
    { ...profile, experience: [{ ...confluent, company_end_date: '2020', current: false }, dropbox] },
    'Company end date of *Confluent* added',
  ],
  ['a removed job', { ...profile, experience: [dropbox] }, 'Job *Confluent* removed'],
  ['another order', { ...profile, experience: [dropbox, confluent] }, 'Order of jobs changed'],
  [
    'the order of the sections, and references',
    {
      ...profile,
      resume: { ...profile.resume, order: ['skills'], references: { print: true, entries: [{ name: 'Ada' }] } },
    },
    'Order of the sections and whether references are printed changed; reference *Ada* added',
  ],
  [
    'added texts',
    { ...profile, resume: { ...profile.resume, skills: ['Go', 'C', 'SQL', 'R'] } },
    'Skills *C* and *R* added',
  ],
  [
    'many added texts',
    { ...profile, resume: { ...profile.resume, skills: ['Go', 'SQL', 'C', 'R', 'Zig', 'Rust'] } },
    '4 skills added',
  ],
  [
    'a changed text of a list',
    {
      ...profile,
      experience: [{ ...confluent, roles: [{ ...engineer, accomplishments: ['Built a large store'] }] }, dropbox],
    },
    'Accomplishment of *Engineer* changed',
  ],
  ['a section that is added', { ...profile, projects: [{ id: 'p', name: 'Raft' }] }, 'Project *Raft* added'],
  ['one that is removed', { ...profile, resume: { skills: ['Go', 'SQL'] } }, 'Link *https://ada.example* removed'],
  [
    'an entry with a name that is too long to be said',
    { ...profile, projects: [{ id: 'p', name: 'x'.repeat(61) }] },
    'Project added',
  ],
  [
    'more than can be said in a line',
    Object.fromEntries(Array.from('abcdefghi', (key) => [key, [{ name: key }]])),
    'A *a* added; b *b* added; c *c* added; d *d* added; e *e* added; f *f* added; 7 more changes',
  ],
];

for (const [title, value, expected] of cases)
  test(`the history says of ${title}: ${expected || 'nothing'}`, () => {
    assert.equal(inWords(profile, value), expected);
  });
