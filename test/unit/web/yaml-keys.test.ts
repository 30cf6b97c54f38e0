import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestions } from '../../../src/surfaces/web/desk/editor/client/yaml-keys.ts';

const keys = {
  '': [
    { label: 'candidate', detail: 'You' },
    { label: 'experience', detail: 'Work' },
  ],
  candidate: [{ label: 'name', detail: 'Name' }],
  experience: [
    { label: 'company', detail: 'Company' },
    { label: 'roles', detail: 'Roles' },
  ],
  'experience.roles': [{ label: 'title', detail: 'Title' }],
  'resume.theme': [{ label: 'classic' }, { label: 'modern' }],
};
const offered = (text: string) => suggestions(text, keys).options.map(({ label }) => label);

test('which keys can stand here?', () => {
  assert.deepEqual(offered('ca'), ['candidate', 'experience']);
  assert.deepEqual(offered('candidate:\n  na'), ['name']);
  assert.deepEqual(offered('candidate:\n  name: Maria\n\n  # who\n  '), ['name']);
  assert.deepEqual(offered('experience:\n  - com'), ['company', 'roles']);
  assert.deepEqual(offered('experience:\n  - company: X\n    roles:\n      - title: Y\n        '), ['title']);
  assert.deepEqual(offered('experience:\n  - company: X\n    roles:\n      - title: Y\nca'), [
    'candidate',
    'experience',
  ]);
});

test('may a list begin in the column of its key?', () => {
  assert.deepEqual(offered('experience:\n- company: X\n  ro'), ['company', 'roles']);
  assert.deepEqual(offered('experience:\n- company: X\n  roles:\n  - ti'), ['title']);
});

test('which values can a choice have, and are none offered in a text?', () => {
  assert.deepEqual(suggestions('resume:\n  theme: cl', keys), { from: 2, options: keys['resume.theme'] });
  assert.deepEqual(offered('candidate:\n  name: Ma'), []);
  assert.deepEqual(offered('candidate:\n  summary: >\n    words of a text'), []);
});
