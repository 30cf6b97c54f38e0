import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merge } from '../../../src/model/profile/merge.ts';

const jobs = (...experience: unknown[]) => ({ experience });
const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, company: id.toUpperCase() })) as [Job, Job, Job];
type Job = { id: string; company: string };

test('two changes of different fields are both kept', () => {
  const base = { name: 'Ada', title: 'Nurse', place: 'Bern' };
  const { value, conflicts } = merge(base, { ...base, name: 'Eva' }, { name: 'Ada', title: 'Head Nurse' });
  assert.deepEqual(value, { name: 'Eva', title: 'Head Nurse' });
  assert.deepEqual(conflicts, []);
});

test('a field that both changed differently is a conflict, and has the first value', () => {
  const { value, conflicts } = merge(
    jobs(a, b),
    jobs(a, { ...b, company: 'Mine' }),
    jobs(c, a, { ...b, company: 'Theirs' }),
  );
  assert.deepEqual(value, jobs(c, a, { ...b, company: 'Mine' }));
  assert.deepEqual(conflicts, [{ pointer: '/experience/2/company', mine: 'Mine', theirs: 'Theirs' }]);
});

test('a field that both changed in the same way is no conflict', () => {
  assert.deepEqual(merge({ name: 'A' }, { name: 'B' }, { name: 'B' }), { value: { name: 'B' }, conflicts: [] });
});

test('an entry that one removed and the other changed stays, and is a conflict', () => {
  const changed = { ...b, company: 'New' };
  assert.deepEqual(merge(jobs(a, b), jobs(a), jobs(a, changed)), {
    value: jobs(a, changed),
    conflicts: [{ pointer: '/experience/1', mine: undefined, theirs: changed }],
  });
  assert.deepEqual(merge(jobs(a, b), jobs(a, changed), jobs(a)), {
    value: jobs(a, changed),
    conflicts: [{ pointer: '/experience/1', mine: changed, theirs: undefined }],
  });
});

test('an entry that one removed and the other left alone goes', () => {
  assert.deepEqual(merge(jobs(a, b), jobs(a), jobs(b, a)), { value: jobs(a), conflicts: [] });
});

test('an entry that both added is there once, and two new ones with the same id are both there', () => {
  assert.deepEqual(merge(jobs(a), jobs(a, b), jobs(a, b)).value, jobs(a, b));
  const other = { ...b, company: 'Other' };
  const { experience } = merge(jobs(a), jobs(a, b), jobs(a, other)).value as { experience: Job[] };
  assert.deepEqual(experience.map(({ company }) => company).sort(), ['A', 'B', 'Other']);
});
