import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProfile } from 'resume-import/draft/to-profile';
import { jsonResume } from 'resume-import/readers/json-resume';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';

const profileOf = (resume: object) =>
  toProfile(jsonResume.toDraft(toCursor(readTree(JSON.stringify(resume)).tree))).profile;

/** Positions, each as `company, title, start, end`, with the entries that they give, each as `id: dates: its roles`. */
const cases: Record<string, readonly [positions: string, entries: readonly string[]]> = {
  'positions that follow one another at a company become one entry, its roles in the resume’s order': [
    'Acme, Engineer, 2016-05-01, 2018-02-01; Acme, Head, 2020-03-01; Acme, Lead, 2018-02-01, 2020-02-01',
    ['exp_acme: 2016-05-01 null: Engineer, Head, Lead'],
  ],
  'positions at a company with a gap but no other company between them become one entry': [
    'Acme, Lead, 2020-01-01; Acme, Engineer, 2010-01-01, 2014-01-01',
    ['exp_acme: 2010-01-01 null: Lead, Engineer'],
  ],
  'positions that overlap at a company become one entry, even if another company begins in between': [
    'Acme, Engineer, 2016-01-01, 2020-01-01; Other, Adviser, 2017-01-01, 2018-01-01; Acme, Founder, 2019-01-01, 2021-01-01',
    ['exp_acme: 2016-01-01 2021-01-01: Engineer, Founder', 'exp_other: 2017-01-01 2018-01-01: Adviser'],
  ],
  'the case and spaces of a company name do not matter': [
    'Acme Inc, B, 2018-01-01; ACME  inc, A, 2016-01-01, 2017-12-01',
    ['exp_acme_inc: 2016-01-01 null: B, A'],
  ],
  'a return after two months elsewhere becomes a second entry; the older entry keeps the plain id': [
    'Acme, Lead, 2020-03-01; Other, Engineer, 2020-01-01, 2020-02-28; Acme, Engineer, 2016-01-01, 2019-12-31',
    [
      'exp_acme_2: 2020-03-01 null: Lead',
      'exp_other: 2020-01-01 2020-02-28: Engineer',
      'exp_acme: 2016-01-01 2019-12-31: Engineer',
    ],
  ],
  'an end that cannot be read is the month or year in which the job began': [
    'Acme, Engineer, 2018-04, unclear; Other, Clerk, 2016, ?',
    ['exp_acme: 2018-04 2018-04: Engineer', 'exp_other: 2016 2016: Clerk'],
  ],
};

for (const [title, [positions, entries]] of Object.entries(cases))
  test(title, () => {
    const work = positions.split('; ').map((position) => {
      const [name, title, startDate, endDate] = position.split(', ');
      return { name, position: title, startDate, endDate };
    });
    const imported = profileOf({ work }).experience.map(
      ({ id, company_start_date, company_end_date, roles }) =>
        `${id}: ${company_start_date} ${company_end_date}: ${roles.map((role) => role.title).join(', ')}`,
    );
    assert.deepEqual(imported, entries);
  });

test('a job without a start is an entry of a section, with what is known of it', () => {
  const { experience, resume } = profileOf({
    work: [
      { name: 'Acme', position: 'Engineer', endDate: '2018-04', summary: 'Built.', highlights: ['Lit'] },
      { name: 'Other' },
      { summary: 'Helped out here and there.', highlights: ['Painted'] },
      { highlights: ['Sang', 'Danced'] },
    ],
  });
  assert.deepEqual(experience, []);
  assert.deepEqual(resume.sections![0]!.entries, [
    { name: 'Engineer', organization: 'Acme', end_date: '2018-04', summary: 'Built.', highlights: ['Lit'] },
    { name: 'Other' },
    { text: 'Helped out here and there.', highlights: ['Painted'] },
    { bullet: 'Sang' },
    { bullet: 'Danced' },
  ]);
});

test('jobs keep the order of the resume, which the profile names if it is not that of their dates', () => {
  const orderOf = (...work: object[]) => {
    const { experience, resume } = profileOf({ work });
    return [resume.experience_order, ...experience.map(({ company }) => company)];
  };
  const first = { name: 'Side', startDate: '2025' };
  const second = { name: 'Novus', startDate: '2023-04' };
  assert.deepEqual(orderOf(first, second), [undefined, 'Side', 'Novus']);
  assert.deepEqual(orderOf(second, first), ['as_written', 'Novus', 'Side']);
});

test('years of experience are those that the resume states, and are not counted', () => {
  const yearsOf = (basics: object) =>
    profileOf({ basics, work: [{ name: 'Acme', startDate: '2010' }] }).candidate.years_experience;
  assert.deepEqual([yearsOf({ yearsExperience: 17 }), yearsOf({})], [17, undefined]);
});

test('each role keeps its own summary, and the company its description', () => {
  const [entry] = profileOf({
    work: [
      { name: 'Acme', position: 'Lead', startDate: '2020', description: 'Anvils', summary: 'Leads.' },
      {
        name: 'Acme',
        position: 'Engineer',
        startDate: '2018',
        endDate: '2020',
        summary: 'Built.',
        highlights: ['Lit'],
      },
    ],
  }).experience;
  assert.equal(entry!.summary, 'Anvils');
  assert.deepEqual(
    entry!.roles.map(({ summary, accomplishments }) => [summary, ...accomplishments]),
    [['Leads.'], ['Built.', 'Lit']],
  );
});
