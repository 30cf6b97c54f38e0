import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findText } from '../../../src/surfaces/web/desk/editor/client/find-text.ts';

const document = {
  candidate: {
    name: 'Maria Oyelaran',
    title: 'Charge Nurse',
    summary: 'Trains the **people** who stay in [care](https://x.example).',
  },
  experience: [
    {
      company: 'Casco Bay Medical Center',
      roles: [
        {
          title: 'Charge Nurse',
          start_date: '2019-03',
          accomplishments: ['Lead a shift of fourteen', { text: 'Cut infections' }],
        },
        { title: 'Nurse', accomplishments: ['Trained nineteen'] },
      ],
    },
    { company: 'St. Brigid', roles: [{ title: 'Nurse', accomplishments: ['Reorganized the ward'] }] },
  ],
  resume: {
    email: 'maria@oyelaran.example',
    skills: ['Triage', 'Care'],
    links: [{ url: 'https://www.oyelaran.example/' }],
  },
  views: { one: { title: 'Charge Nurse, Intensive Care' } },
};

const find = (lines: readonly string[], index: number) => findText(document, lines, index)?.join('.');

test('does a line lead to the text that has its words, or a part of them?', () => {
  assert.equal(find(['Maria Oyelaran'], 0), 'candidate.name');
  assert.equal(find(['Trains the people'], 0), 'candidate.summary');
  assert.equal(find(['stay in care.'], 0), 'candidate.summary');
  assert.equal(find(['oyelaran.example'], 0), 'resume.links.0.url');
  assert.equal(find(['• Cut infections'], 0), 'experience.0.roles.0.accomplishments.1.text');
});

test('does a line made of several texts lead to the longest one?', () => {
  assert.equal(find(['St. Brigid, Nurse'], 0), 'experience.1.company');
});

test('do equal texts lead to the one beside which the line stands?', () => {
  const lines = ['Casco Bay Medical Center', 'Charge Nurse', 'Lead a shift', 'Nurse', 'Trained nineteen'];
  const more = ['St. Brigid', 'Nurse', 'Reorganized the ward'];
  const all = ['Maria Oyelaran', 'Charge Nurse', 'Trains the people', ...lines, ...more];
  assert.equal(find(all, 1), 'candidate.title');
  assert.equal(find(all, 4), 'experience.0.roles.0.title');
  assert.equal(find(all, 6), 'experience.0.roles.1.title');
  assert.equal(find(all, 9), 'experience.1.roles.0.title');
});

test('does a line that no text has, such as a date, lead to the one before it?', () => {
  assert.equal(find(['St. Brigid', 'Mar 2019 – present'], 1), 'experience.1.company');
  assert.equal(find(['·'], 0), undefined);
});
