import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';
import { viewWarningsOf } from 'resume-profile/view';
import { byHand, viewedProfile } from './viewed-profile.ts';

for (const [name, text] of Object.entries(byHand))
  test(`the view ${name} is the profile that somebody would write by hand`, () => {
    const { views, faults } = readProfileText(viewedProfile);
    assert.deepEqual(faults, []);
    const written = readProfileText(text);
    assert.deepEqual(written.faults, []);
    assert.deepEqual(views.resolve(name), written.profile);
  });

test('the whole profile has what is placed in views, and says nothing of them', () => {
  const whole = viewedProfile
    .replace(/views:[\s\S]*/, '')
    .replace(/\{ text: ([^,]*), in: \[\w+\] \}/g, '$1')
    .replace(/, in: \[\w+\] \}/g, ' }')
    .replace(/^ +in: .*\n/gm, '');
  assert.ok(!whole.includes('in:'));
  assert.deepEqual(readProfileText(viewedProfile).profile, readProfileText(whole).profile);
});

test('a view hides entries, roles and texts by their ids, which nobody is served', () => {
  const text = viewedProfile
    .replace('- Led a working group of six.', '- { text: Led a working group of six., id: led }')
    .replace('- title: Staff Engineer', '- id: staff\n        title: Staff Engineer')
    .replace('{ name: On teams }', '{ id: teams, name: On teams }')
    .replace('- { text: At a conference }'.slice(2), '{ id: talk, text: At a conference }')
    .replace('hide: [publications, proj_log', 'hide: [teams, talk, led, proj_log')
    .replace('hide: [education', 'hide: [staff, education');
  const { profile, views, faults, warnings } = readProfileText(text);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    warnings((_, document) => viewWarningsOf(document, [])),
    [],
  );
  assert.deepEqual(profile, readProfileText(viewedProfile).profile);
  const { experience, resume } = views.resolve('management')!;
  assert.deepEqual(
    experience.flatMap(({ roles }) => roles.map(({ accomplishments }) => accomplishments)),
    [['Hired and grew a team of nine.']],
  );
  assert.deepEqual([resume.publications, resume.sections![0]!.entries], [[], [{ bullet: 'To managers' }]]);
  const systems = views.resolve('systems')!;
  assert.deepEqual(systems.experience[0]!.roles[0]!.accomplishments, [
    'Led a working group of six.',
    'Halved the cost of replication.',
  ]);
});

test('a view that the document does not have is not resolved', () => {
  const { views } = readProfileText(viewedProfile);
  assert.deepEqual([...views.names], ['systems', 'management', 'brief']);
  for (const name of ['other', 'constructor', 'all', 'public']) assert.equal(views.resolve(name), null);
});

const faultsOf = (...changes: readonly [string, string][]) =>
  readProfileText(changes.reduce((text, [from, to]) => text.replace(from, to), viewedProfile)).faults;

test('faults of views and of what is placed in them say where they are', () => {
  assert.deepEqual(faultsOf(['  systems:\n', '  Systems:\n']), [
    '57:3: views.Systems: must be 1 to 40 of the characters a-z 0-9 _ -, a letter or digit first',
  ]);
  assert.deepEqual(faultsOf(['  brief: {', '  public: {']), [
    '65:3: views.public: is taken: all is the whole profile, public the public part',
  ]);
  assert.deepEqual(faultsOf(['    in: [systems, management]', '    in: {systems: 1}']), [
    '11:9: experience[0].in: must be a list',
  ]);
  assert.deepEqual(faultsOf(['{ text: Hired and grew a team of nine., in: [management] }', '{ id: hired }']), [
    '21:13: experience[0].roles[0].accomplishments[1].text: is required',
  ]);
  assert.deepEqual(faultsOf(['{ text: Hired and grew a team of nine., in: [management] }', '[]']), [
    '21:13: experience[0].roles[0].accomplishments[1]: must be a text, or an object with a text and the views that show it under in',
  ]);
  assert.deepEqual(faultsOf(['[summary, skills, experience]', '[summary, Boats]']), [
    '60:22: views.systems.order[1]: must be one of summary, experience, projects, skills, education, certifications, languages, publications, awards, volunteer, interests, references, or the title of one of your sections',
  ]);
  assert.deepEqual(faultsOf(['theme: compact', 'theme: tiny']), [
    '61:12: views.systems.theme: must be one of classic, modern, compact, latex, sidebar',
  ]);
  assert.deepEqual(faultsOf(['hide: [publications', 'hides: [publications']), [
    '64:5: views.management.hides: is not a known key; did you mean hide?',
  ]);
});

test('a link to a PDF of your own beside views is a fault, without views it is not', () => {
  const own = ['  skills: [Go', '  pdf_url: https://ada.dev/cv.pdf\n  skills: [Go'] as const;
  assert.deepEqual(faultsOf([...own]), [
    '38:12: resume.pdf_url: must not be given beside views: it would show the same PDF in all of them',
  ]);
  const text = viewedProfile.replace(...own).replace(/views:[\s\S]*/, '');
  assert.deepEqual(readProfileText(text).faults, []);
});

test('a profile has at most 50 views', () => {
  const views = (count: number) => Array.from({ length: count }, (_, index) => `  view-${index}: {}`).join('\n');
  const withViews = (count: number) =>
    readProfileText(viewedProfile.replace(/views:[\s\S]*/, `views:\n${views(count)}`));
  assert.deepEqual(withViews(50).faults, []);
  assert.deepEqual(withViews(51).faults, ['57:3: views: must be at most 50 views']);
});

test('what is probably not meant by views is warned of, with its place', () => {
  const reading = readProfileText(
    viewedProfile
      .replace('in: [systems, management]', 'in: [system, management]')
      .replace('in: [management] }\n          - { text: Halved', 'in: [] }\n          - { text: Halved')
      .replace('exp_rackspace, proj_toy', 'exp_rackspce, proj_toy')
      .replace(
        '  brief: {',
        '  empty: { hide: [experience, projects, education, publications, Talks, skills] }\n  brief: {',
      ),
  );
  assert.deepEqual(reading.faults, []);
  assert.deepEqual(
    reading.warnings((_, document) => viewWarningsOf(document, [])),
    [
      '11:10: warning: experience[0].in[0]: there is no view system; did you mean systems?',
      '21:13: warning: experience[0].roles[0].accomplishments[1]: is in no view: the whole profile alone has it',
      '59:12: warning: views.systems.hide[0]: there is no entry or section exp_rackspce; did you mean exp_rackspace?',
      '65:10: warning: views.empty: is empty: it shows no entry of any section',
    ],
  );
  const meant = readProfileText(viewedProfile);
  assert.deepEqual(
    meant.warnings((_, document) => viewWarningsOf(document, [])),
    [],
  );
});

test('views that tokens read and the document does not have are warned of, also if it has no `views`', () => {
  const warningsOf = (text: string) =>
    readProfileText(text).warnings((_, document) => viewWarningsOf(document, ['systems', 'old', 'public', 'all']));
  const gone = (view: string) =>
    `warning: views: does not have ${view}, which tokens read: they get the public part until another view is set`;
  assert.deepEqual(warningsOf(viewedProfile), [`57:3: ${gone('old')}`]);
  assert.deepEqual(
    warningsOf(viewedProfile.replace(/^ +in: .*\n/gm, '').replace(/views:[\s\S]*/, '')).filter((line) =>
      line.includes('views:'),
    ),
    [`1:1: ${gone('systems')}`, `1:1: ${gone('old')}`],
  );
});
