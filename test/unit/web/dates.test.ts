import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followingRoles, toDate } from '../../../src/surfaces/web/desk/editor/dates.ts';

const role = (start_date: string | number, end_date: string | number | null) => ({ start_date, end_date });
const company = (start: unknown, end: unknown, ...roles: object[]) => ({
  company_start_date: start,
  company_end_date: end,
  roles,
});

describe('The dates of a company', () => {
  test('are those of the roles of a new one', () => {
    const typed = company(undefined, null, role('2021-03', '2022-05'), role(2019, '2021-02'));
    assert.deepEqual(followingRoles(typed, undefined), {
      ...typed,
      company_start_date: 2019,
      company_end_date: '2022-05',
    });
  });

  test('come before the roles of a new one, and stay where they are in another', () => {
    const roles = [role(2019, 2021)];
    const keysOf = (typed: object) => Object.keys(followingRoles(typed as Record<string, unknown>, undefined));
    assert.deepEqual(keysOf({ roles, company: 'Acme' }), [
      'company',
      'company_start_date',
      'company_end_date',
      'roles',
    ]);
    const written = { roles, company_end_date: null, company_start_date: 2018 };
    assert.deepEqual(keysOf(written), ['roles', 'company_end_date', 'company_start_date']);
  });

  test('go on while one role does', () => {
    const typed = company(undefined, null, role(2019, '2021-02'), role('2021-03', null));
    assert.equal(followingRoles(typed, undefined).company_end_date, null);
  });

  test('end when the last role that goes on ends, and begin again when it does', () => {
    const [going, ended] = [
      company('2020-02-01', null, role('2020-02', null)),
      company('2020-02-01', null, role('2020-02', '2026-05')),
    ];
    assert.deepEqual(followingRoles(ended, going), { ...ended, company_end_date: '2026-05' });
    const before = { ...ended, company_end_date: '2026-05' };
    assert.deepEqual(followingRoles({ ...before, roles: going.roles }, before), going);
    const earlier = { ...going, roles: [role('2019-05', null)] };
    assert.deepEqual(followingRoles(earlier, going), { ...earlier, company_start_date: '2019-05' });
  });

  test('stay as they are written if they were others than those of the roles, or are typed', () => {
    const before = company('2018-01', null, role('2020-02', '2024-01'));
    const typed = company('2018-01', null, role('2021-02', '2024-06'));
    assert.deepEqual(followingRoles(typed, before), typed);
    const going = company('2020-02', null, role('2020-02', null));
    for (const roles of [going.roles, [role('2019-05', '2024-01')]]) {
      const other = company('2017', '2023', ...roles);
      assert.deepEqual(followingRoles(other, going), other);
    }
  });
});

test('A month may be written as a word, in the languages of resumes; another word is kept as it was typed', () => {
  for (const [typed, date] of [
    ['May 2019', '2019-05'],
    ['sept. 2018', '2018-09'],
    ['December, 2020', '2020-12'],
    ['Dec2020', '2020-12'],
    ['setembro de 2019', '2019-09'],
    ['März 2019', '2019-03'],
    ['maart 2019', '2019-03'],
    ['Outono 2018', 'Outono 2018'],
    ['soon', 'soon'],
    ['2019', 2019],
  ] as const)
    assert.equal(toDate(typed), date);
});
