import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed } from '../../../src/model/profile/completed.ts';

const role = { title: 'Nurse', start_date: '2019-03', end_date: null, accomplishments: ['Led'] };
const job = {
  ...{ id: 'exp_casco', company: 'Casco', company_start_date: '2019-03', company_end_date: null, current: true },
  ...{ summary: '', roles: [role] },
};
const before = {
  candidate: { id: 'cand_maria', name: 'Maria', title: '', location: '', summary: '', domains: [] },
  experience: [job],
  projects: [],
  availability: { status: '' },
  resume: { skills: ['Care'] },
};
const jobsAfter = (...experience: unknown[]) =>
  (completed(before, { ...before, experience }) as { experience: Record<string, unknown>[] }).experience;

test('values that stayed as they were are left alone, even if something is missing in them', () => {
  const faulty = { candidate: { name: 'Maria' }, experience: [{ company: 'Casco' }, ''] };
  assert.equal(completed(faulty, faulty), faulty);
  const changed = completed(faulty, { ...faulty, owner_email: 'maria@example.net' }) as typeof faulty;
  assert.deepEqual(changed.candidate, { name: 'Maria' });
});

test('a new job gets an id of its own, the dates of its roles, and whether it is current', () => {
  const [, added] = jobsAfter(job, {
    roles: [
      { start_date: '2020', end_date: 2021, title: 'Aide' },
      { start_date: 2018, end_date: 2019 },
    ],
    company: 'Casco',
  });
  assert.deepEqual(added, {
    id: 'exp_casco_2',
    company: 'Casco',
    company_start_date: 2018,
    company_end_date: 2021,
    current: false,
    summary: '',
    roles: [
      { title: 'Aide', start_date: '2020', end_date: 2021, accomplishments: [] },
      { title: '', start_date: 2018, end_date: 2019, accomplishments: [] },
    ],
  });
  assert.deepEqual(Object.keys(added!).slice(0, 3), ['id', 'company', 'company_start_date']);
});

test('the dates of a company follow those of its roles, unless they were edited or did not agree', () => {
  const ended = { ...role, end_date: '2024-05' };
  const [follows] = jobsAfter({ ...job, roles: [ended] });
  assert.deepEqual([follows!.company_end_date, follows!.current], ['2024-05', false]);
  const [edited] = jobsAfter({ ...job, company_end_date: '2025', roles: [ended] });
  assert.deepEqual([edited!.company_end_date, edited!.current], ['2025', false]);
  const [emptied] = jobsAfter({ ...job, roles: [] });
  assert.deepEqual([emptied!.company_start_date, emptied!.current], ['2019-03', true]);
  const [apart] = jobsAfter({ ...job, roles: [{ ...role, start_date: '2019' }] });
  assert.equal(apart!.company_start_date, '2019');
});

test('lines and entries that nobody has typed into are left out', () => {
  const [kept, ...others] = jobsAfter({ ...job, roles: [{ ...role, accomplishments: ['Led', ''] }, {}] }, {});
  assert.deepEqual(kept!.roles, [role]);
  assert.deepEqual(others, []);
});

test('an empty page becomes a document with all that is required', () => {
  assert.deepEqual(completed({}, { candidate: { name: 'Dr. Maria Oyelaran' } }), {
    candidate: {
      id: 'cand_maria_oyelaran',
      ...{ name: 'Dr. Maria Oyelaran', title: '', location: '', summary: '', domains: [] },
    },
    experience: [],
    projects: [],
    availability: { status: '' },
    resume: { skills: [] },
  });
});

test('skills in groups need no list of skills beside them', () => {
  const { resume } = completed(before, {
    ...before,
    resume: { skill_groups: [{ skills: ['Care'] }] },
  }) as typeof before;
  assert.deepEqual(resume, { skill_groups: [{ skills: ['Care'] }] });
});
