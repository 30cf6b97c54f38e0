import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from 'resume-import/draft/draft';
import { toProfile } from 'resume-import/draft/to-profile';
import { toLeaf, toValue } from 'resume-import/source/value';

const given = (text: string) => toValue(toLeaf('here', text));
const resumeOf = (draft: Draft) => toProfile(draft).profile.resume;

test('sections with the same title become one, and jobs without a start join that of the jobs', () => {
  const { sections } = resumeOf({
    positions: [{ company: given('Mill') }],
    positionsTitle: 'Work',
    sections: [
      { title: given('Talks'), entries: [{ name: given('One') }] },
      { title: given('Work'), entries: [{ text: given('Also helped out.') }] },
      { title: given('Talks'), entries: [{ bullet: given('Two') }] },
      { title: given('Empty'), entries: [{ date: given('2019') }] },
    ],
  });
  assert.deepEqual(sections, [
    { title: 'Work', entries: [{ name: 'Mill' }, { text: 'Also helped out.' }] },
    { title: 'Talks', entries: [{ name: 'One' }, { bullet: 'Two' }] },
  ]);
});

test('an entry of a section without a name begins with its organization, its details or its summary', () => {
  const entries = [
    { organization: given('Choir'), date: given('2019') },
    { details: given('Sang in a choir.'), date: given('2019-05') },
    { summary: given('Sang.'), url: given('choir.example') },
  ];
  assert.deepEqual(resumeOf({ sections: [{ title: given('Music'), entries }] }).sections![0]!.entries, [
    { name: 'Choir', date: '2019' },
    { text: 'Sang in a choir.', date: '2019-05' },
    { text: 'Sang.', url: 'https://choir.example' },
  ]);
});
