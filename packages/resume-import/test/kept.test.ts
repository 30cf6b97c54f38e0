import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inventedIn } from './invented.ts';
import { importOnce, keptOf, resumes } from './resumes.ts';

for (const resume of resumes)
  test(`at least 97.5 % of what ${resume.name} says is kept, and nothing is invented`, async () => {
    const imported = await importOnce(resume);
    const { values, kept } = keptOf([imported]).at(-1)!;
    assert.ok(kept >= 0.975 * values, `${kept} of ${values}`);
    assert.deepEqual(await inventedIn(imported.profile, resume), []);
  });

test('a text that is invented would be found', async () => {
  const [resume] = resumes;
  const { profile } = await importOnce(resume!);
  const planted = { ...profile, candidate: { ...profile.candidate, summary: 'Head of Nothing, Atlantis.' } };
  assert.deepEqual(await inventedIn(planted, resume!), ['Head of Nothing, Atlantis.']);
});

test('at least 97 % of what resumes say is in its place, and over 90 % of each section outside notes', async () => {
  const all = keptOf(await Promise.all(resumes.map(importOnce)));
  const { placed, values } = all.at(-1)!;
  assert.ok(placed >= 0.97 * values, `${placed} of ${values}`);
  // Values outside a section count only in the sum.
  const low = all.filter(({ section, placed, values }) => section !== 'other' && placed <= 0.9 * values);
  assert.deepEqual(low, []);
});

/** The keys whose values are neither kept nor counted as lost, by format and reason; of settings the outermost. */
const uncounted = {
  'JSON Resume': {
    'It describes the file, not the person': '$schema canonical lastModified version',
    'It is private': 'birthday',
    'It is private; the profile says city, region and country': 'address postalCode',
    'It says how the entry is shown or stored, and nothing of the person': 'icon logo',
    'It says how the resume is shown or stored': 'theme',
  },
  'LinkedIn data export': {
    'It is a note before the table': 'Positions.csv:1 Positions.csv:2',
    'It is about the account': 'Confirmed Primary Updated On',
    'It is about the account or other people, not about a career': 'Connections.csv guide_messages.csv messages.csv',
    'It is not a table': 'Articles/Articles/*.html me.jpg',
    'It is private': 'Address Birth Date Instant Messengers Maiden Name Zip Code',
    'It says what kind of number it is': 'Type',
  },
  'Reactive Resume': {
    'It describes the file, not the person': 'public',
    'It draws a level that is stated in words': 'level',
    'It has no text': 'summary',
    'It is a heading, which is counted apart': 'name title',
    'It is about the layout of the page, not about you':
      'border columns grayscale hidden icon id inlineLink levelNum metadata picture shape showLinkInTitle size type visible',
    'It is private': 'birthdate',
    'No level is shown': 'level',
    'It is private; the profile says city, region and country': 'address postalCode',
  },
  RenderCV: {
    'It is about the layout of the page, not about you': 'design fontawesome_icon locale rendercv_settings settings',
    'It is the heading of a list, which the profile has under a key of its own': 'label',
  },
};

test('what an import neither keeps nor counts as lost is private, or not about the person', async () => {
  const imports = await Promise.all(resumes.map(importOnce));
  const left = imports.flatMap(({ format, report }) =>
    report.notCarriedOver
      .filter(({ isContent }) => isContent === false)
      .map(({ where, why }) => ({ format, why, key: keyOf(where) })),
  );
  const found = Object.entries(Object.groupBy(left, ({ format }) => format)).map(([format, same]) => [
    format,
    Object.fromEntries(
      Object.entries(Object.groupBy(same!, ({ why }) => why)).map(([why, each]) => [
        why,
        [...new Set(each!.map(({ key }) => key))].sort().join(' '),
      ]),
    ),
  ]);
  assert.deepEqual(Object.fromEntries(found), uncounted);
});

function keyOf(where: string): string {
  if (/\.(csv|html|jpg)\b/.test(where)) return where.split(': ').at(-1)!;
  const steps = where.replace(/\[\d+\]/g, '').split('.');
  const isSetting = /^(design|locale|metadata|picture|settings|rendercv_settings)$/.test(steps[0]!);
  return isSetting ? steps[0]! : steps.at(-1)!;
}
