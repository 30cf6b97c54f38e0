import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownIn } from 'resume-profile/hides';
import { readProfileText } from 'resume-profile/profile-reader';

const reading = (settings: object) =>
  readProfileText(
    JSON.stringify({
      candidate: { id: 'ada', name: 'Ada', title: '', location: '', summary: '', domains: [] },
      ...{ experience: [], projects: [], availability: { status: '' } },
      resume: {
        skills: ['Sums'],
        email: 'ada@ada.example',
        phone: '+1 555 0100',
        awards: [{ title: 'A' }],
        ...settings,
      },
    }),
  );
const keysIn = (medium: Parameters<typeof shownIn>[0], settings: object) =>
  Object.keys(shownIn(medium, reading(settings).profile!).resume).filter((key) => key !== 'hides');

test('each form of a resume leaves out what the owner hides there, and no other form does', () => {
  const hides = { page: ['phone'], pdf: ['email', 'awards'] };
  assert.deepEqual(keysIn('page', { hides }), ['skills', 'email', 'awards']);
  assert.deepEqual(keysIn('pdf', { hides }), ['skills', 'phone']);
  assert.deepEqual(keysIn('word', { hides }), ['skills', 'email', 'phone', 'awards']);
  assert.deepEqual(keysIn('programs', {}), ['skills', 'email', 'phone', 'awards']);
});

test('the older page_hides is what the page hides', () => {
  assert.deepEqual(keysIn('page', { page_hides: ['email'] }), ['skills', 'phone', 'awards']);
  const { profile } = reading({
    page_hides: ['email', 'phone'],
    hides: { page: ['phone', 'awards'], word: ['email'] },
  });
  assert.deepEqual(profile!.resume.hides, { page: ['email', 'phone', 'awards'], word: ['email'] });
  assert.equal('page_hides' in profile!.resume, false);
});

test('what a resume needs cannot be hidden', () => {
  assert.match(
    reading({ hides: { pdf: ['skills'] } }).faults.join(),
    /resume\.hides\.pdf\[0\]: must be one of "?email/,
  );
});
