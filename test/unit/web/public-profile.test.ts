import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'resume-profile/profile-document';
import { firstSentenceOf, headingOf, publicProfileOf } from '../../../src/surfaces/web/public/public-profile.ts';

const profileWith = (fields: object) =>
  Profile.parse({
    candidate: {
      id: 'cand_test',
      name: 'Tess Example',
      title: 'Software Engineer',
      location: 'Lisbon',
      summary: 'Builds things that last.',
      years_experience: 12,
      domains: ['Storage'],
    },
    experience: [],
    projects: [],
    availability: { status: 'open' },
    resume: { skills: [] },
    ...fields,
  });

test('unless the owner says otherwise, name and title are public', () => {
  assert.deepEqual(publicProfileOf(profileWith({})), { name: 'Tess Example', title: 'Software Engineer' });
});

test('the owner chooses which fields are public, and may choose none', () => {
  assert.deepEqual(publicProfileOf(profileWith({ public: ['domains', 'years_experience'] })), {
    domains: ['Storage'],
    years_experience: 12,
  });
  assert.deepEqual(publicProfileOf(profileWith({ public: [] })), {});
});

test('a page without a token is headed by the name only if it is public', () => {
  assert.equal(headingOf(publicProfileOf(profileWith({}))), 'Tess Example');
  assert.equal(headingOf(publicProfileOf(profileWith({ public: ['title'] }))), 'A professional profile');
});

test('what nobody can see is not public', () => {
  const { candidate } = profileWith({});
  const unseen = { ...candidate, name: '\u200b', title: '\u2800 \u3164' };
  assert.deepEqual(publicProfileOf(profileWith({ candidate: unseen })), {});
});

test('availability is public if the owner says so, and how many jobs and projects there are', () => {
  const projects = [{ id: 'p', name: 'P', summary: '', links: {} }];
  assert.deepEqual(publicProfileOf(profileWith({ projects, public: ['availability', 'counts'] })), {
    availability: 'open',
    counts: { jobs: 0, projects: 1 },
  });
});

test('of a public summary, anybody sees the first sentence, and no more', () => {
  for (const [summary, first] of [
    ['Builds things that last. Likes boats.', 'Builds things that last.'],
    ['Dr. Lena builds storage. She sails.', 'Dr. Lena builds storage.'],
    ['I work with B. Liskov. It is fun.', 'I work with B. Liskov.'],
    ['How do rivers flood? I know.', 'How do rivers flood?'],
    ['写软件。做研究。', '写软件。'],
    ['أبني أنظمة الدفع. أحب البحر.', 'أبني أنظمة الدفع.'],
    ['No full stop', 'No full stop'],
    ['', ''],
  ])
    assert.equal(firstSentenceOf(summary!), first);
});

test('a stranger sees the first sentence of a summary without its marks, which are never cut', () => {
  const { candidate } = profileWith({});
  const summary = 'Builds **fast. Safe** [logs](https://logs.example/a.b) *well*. Then more.';
  assert.deepEqual(publicProfileOf(profileWith({ public: ['summary'], candidate: { ...candidate, summary } })), {
    summary: 'Builds fast.',
  });
});
