import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOutline } from 'resume-documents/outline/outline';
import { readProfileText } from 'resume-profile/profile-reader';

const job = (company: string, more: object = {}) => ({
  ...{
    id: company.toLowerCase(),
    company,
    company_start_date: 2018,
    company_end_date: 2020,
    current: false,
    summary: '',
  },
  ...{ roles: [{ title: 'Dev', start_date: 2018, end_date: 2020, accomplishments: [] }], ...more },
});

function readingOf(resume: object, experience: object[] = []) {
  const { profile, faults } = readProfileText(
    JSON.stringify({
      candidate: { id: 'ada', name: 'Ada', title: '', location: '', summary: 'Builds.', domains: [] },
      ...{ experience, projects: [], availability: { status: '' }, resume: { skills: [], ...resume } },
    }),
  );
  return { outline: profile && toOutline(profile), faults };
}

/** The headings of a resume with the number of entries below each, in its order. */
const headingsOf = (...asked: Parameters<typeof readingOf>) => {
  const { outline, faults } = readingOf(...asked);
  assert.deepEqual(faults, []);
  return outline!.sections.map(({ names, blocks }) => `${names[0]?.text ?? '-'}: ${blocks.length}`);
};

test('each section has the title that the owner gives it, otherwise the word of the language', () => {
  const resume = { education: [{ degree: 'MSc' }], language: 'de' };
  assert.deepEqual(headingsOf(resume, [job('X')]), ['-: 1', 'Berufserfahrung: 1', 'Ausbildung: 1']);
  assert.deepEqual(headingsOf({ ...resume, titles: { experience: 'Appointments', summary: 'About' } }, [job('X')]), [
    'About: 1',
    'Appointments: 1',
    'Ausbildung: 1',
  ]);
});

test('entries that name a section are printed in it, whatever else is there, and the order can name it', () => {
  const jobs = [job('X'), job('Y', { section: 'Teaching' }), job('Z', { section: 'Teaching' })];
  assert.deepEqual(headingsOf({}, jobs), ['-: 1', 'Experience: 1', 'Teaching: 2']);
  assert.deepEqual(headingsOf({ order: ['Teaching', 'experience'] }, jobs), ['-: 1', 'Teaching: 2', 'Experience: 1']);
  const courses = { sections: [{ title: 'Teaching', entries: ['Courses'] }] };
  assert.deepEqual(headingsOf(courses, jobs), ['-: 1', 'Experience: 1', 'Teaching: 3']);
});

test('a certification is shown from its issue until its end, and an end alone is told apart from an issue', () => {
  const certifications = [
    { name: 'RN', date: '2022-03', end_date: '2028-03' },
    { name: 'ACLS', end_date: '2027-01' },
    { name: 'BLS', date: '2024' },
  ];
  const { outline } = readingOf({ certifications });
  const { blocks } = outline!.sections.find(({ key }) => key === 'certifications')!;
  assert.deepEqual(
    blocks.map((block) => 'dates' in block && block.dates.map(({ text }) => text).join(' – ')),
    ['Mar 2022 – Mar 2028', '– Jan 2027', '2024'],
  );
  const { faults } = readingOf({ certifications: [{ name: 'RN', date: '2022-03', end_date: '2021' }] });
  assert.match(faults.join(), /resume\.certifications\[0\]\.end_date: must not be before date$/);
});

test('languages in another section have a label there', () => {
  const { outline } = readingOf({
    skill_groups: [{ name: 'Tools', skills: ['Go'] }],
    languages: [{ language: 'Polish', section: 'Skills & Languages' }],
    titles: { skills: 'Skills & Languages' },
  });
  const [section] = outline!.sections.filter(({ key }) => key === 'skills');
  assert.deepEqual(
    section!.blocks.map((block) => 'items' in block && [block.label?.text, ...block.items.map(({ text }) => text)]),
    [
      ['Tools', 'Go'],
      ['Languages', 'Polish'],
    ],
  );
  assert.equal(outline!.sections.length, 2);
});

test('an order that names what is not there, an unknown title and a title of several lines are faults', () => {
  const faultsOf = (resume: object) => readingOf(resume).faults.map((fault) => fault.replace(/^\d+:\d+: /, ''));
  assert.match(faultsOf({ order: ['Teaching'] })[0]!, /^resume\.order\[0\]: must be one of summary, experience, /);
  assert.deepEqual(faultsOf({ titles: { experiance: 'Work' } }), [
    'resume.titles.experiance: is not a known key; did you mean experience?',
  ]);
  assert.deepEqual(faultsOf({ titles: { experience: 'Work\nlife' } }), [
    'resume.titles.experience: must be on one line',
  ]);
});

test('a year is printed as a year, a month as a month, and a role’s summary above its accomplishments', () => {
  const roles = [{ title: 'CTO', start_date: 2018, end_date: '2020-02', summary: 'Led.', accomplishments: ['Lit'] }];
  const { outline } = readingOf({}, [job('X', { company_end_date: '2020-02', roles })]);
  const [part] = outline!.sections.find(({ key }) => key === 'experience')!.blocks;
  assert.ok(part && 'names' in part);
  assert.deepEqual(
    part.dates.map(({ text }) => text),
    ['2018', 'Feb 2020'],
  );
  assert.deepEqual(
    part.blocks.map((block) => ('bullets' in block ? block.bullets : 'items' in block && block.items[0]!.text)),
    ['Led.', ['Lit']],
  );
});
