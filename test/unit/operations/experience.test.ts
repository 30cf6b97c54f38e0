import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';
import { owner } from '../../../src/operations/call.ts';
import { getCandidate } from '../../../src/operations/candidate.ts';
import { getExperience, listExperience } from '../../../src/operations/experience.ts';
import { invoke } from '../../../src/operations/invoke.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { getResume } from '../../../src/operations/resume.ts';
import { serviceOf } from '../../support/mcp-service.ts';

const document = (resume: object, candidate: object = {}) =>
  JSON.stringify({
    candidate: { id: 'ada', name: 'Ada', title: '', location: '', summary: '', domains: [], ...candidate },
    experience: [
      {
        id: 'mill',
        company: 'Mill',
        company_start_date: 2014,
        company_end_date: '2020-02',
        current: false,
        summary: '',
        roles: [
          { title: 'CTO', start_date: 2018, end_date: '2020-02', summary: 'Led 40 people.', accomplishments: ['Lit'] },
          { title: 'Clerk', start_date: '2014-05-03', end_date: 2018, accomplishments: [] },
        ],
      },
      {
        id: 'bank',
        company: 'Bank',
        company_start_date: '2021-03',
        current: true,
        summary: 'Keeps books.',
        roles: [],
      },
    ],
    projects: [],
    availability: { status: '' },
    resume: { skills: [], ...resume },
  });

async function ask(operation: Operation, input: object, text: string, today = '2026-01-01'): Promise<unknown> {
  const { profile, faults } = readProfileText(text);
  assert.deepEqual(faults, []);
  const call = { surface: 'rest', caller: owner, input: () => input };
  const edition = { profile: profile!, resumeUrl: null, today };
  return (await invoke(operation, call, { ...serviceOf().services, edition: () => edition })).data;
}

const bank = {
  company: 'Bank',
  company_start_date: '2021-03-01',
  company_end_date: null,
  current: true,
  roles: [],
};
const mill = {
  company: 'Mill',
  company_start_date: '2014-01-01',
  company_end_date: '2020-02-29',
  current: false,
  roles: [
    { title: 'CTO', start_date: '2018-01-01', end_date: '2020-02-29', accomplishments: ['Led 40 people.', 'Lit'] },
    { title: 'Clerk', start_date: '2014-05-03', end_date: '2018-12-31', accomplishments: [] },
  ],
};

for (const order of ['latest_first', 'as_written'])
  test(`programs get the latest job first, with whole dates and summary, if the owner’s order is ${order}`, async () => {
    const text = document({ experience_order: order });
    assert.deepEqual(await ask(listExperience, {}, text), [
      { id: 'bank', ...bank, summary: 'Keeps books.' },
      { id: 'mill', ...mill, summary: '' },
    ]);
    assert.deepEqual(await ask(getExperience, { id: 'mill' }, text), { id: 'mill', ...mill, summary: '' });
    assert.deepEqual(await ask(getResume, { format: 'json' }, text), {
      name: 'Ada',
      title: '',
      experience: [bank, mill],
      skills: [],
    });
  });

test('programs get the stated years of experience, otherwise those that the roles cover', async () => {
  const yearsOn = async (today: string, candidate = {}) => {
    const answer = (await ask(getCandidate, {}, document({}, candidate), today)) as { years_experience: number };
    return answer.years_experience;
  };
  assert.equal(await yearsOn('2026-01-01'), 11);
  assert.equal(await yearsOn('2031-03-01'), 16);
  assert.equal(await yearsOn('2026-01-01', { years_experience: 17 }), 17);
});

test('time that jobs share counts once, time before the first day not at all, and no more than 100 years', async () => {
  const yearsOf = async (...spans: [start: string, end: string | null][]) => {
    const experience = spans.map(([company_start_date, company_end_date], index) => ({
      ...{ id: `c${index}`, company: 'C', summary: '', roles: [], current: company_end_date === null },
      ...{ company_start_date, company_end_date },
    }));
    const text = JSON.stringify({ ...JSON.parse(document({})), experience });
    return ((await ask(getCandidate, {}, text)) as { years_experience: number }).years_experience;
  };
  assert.equal(await yearsOf(['2010-01-01', '2014-01-01'], ['2012-01-01', '2015-01-01']), 5);
  assert.equal(await yearsOf(['2010-01-01', '2012-01-01'], ['2024-01-01', null]), 4);
  assert.equal(await yearsOf(['2030-01-01', null]), 0);
  assert.equal(await yearsOf(['1800-01-01', null]), 100);
});
