import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toOutline } from 'resume-documents/outline/outline';
import { lint } from 'resume-profile/lint';
import { marksIn } from 'resume-profile/marks';
import { readProfileText } from 'resume-profile/profile-reader';
import { isProse, textsOf } from 'resume-profile/texts';
import { fixture, samplePath } from './documents.ts';

const marks = readFileSync(fixture('marks.yaml'), 'utf8');

test('the texts in which marks are read are named, with the marks', () => {
  const notes = readProfileText(marks).notes(marksIn);
  assert.deepEqual(
    notes.slice(0, 5).map((note) => note.replace(/^\d+:\d+: /, '')),
    [
      'candidate.summary: strong “rivers flood”, emphasis “in time”, link and code “floodgauge”, 2 more, 4 bullets',
      'experience[0].summary: strong “towns”',
      'experience[0].roles[0].summary: strong “forty”',
      'experience[0].roles[0].accomplishments[0]: link “three papers”, strong “Rust”',
      'experience[0].roles[0].accomplishments[1]: emphasis “alarms”, code “gauge --every 5m”, 2 bullets',
    ],
  );
  assert.equal(notes.length, 31);
  assert.deepEqual(readProfileText(readFileSync(samplePath, 'utf8')).notes(marksIn), []);
});

test('the resume reads marks in each text that can have some, and in no other', () => {
  const { profile } = readProfileText(marks);
  const textsWithMarks = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const own = 'text' in value && 'paragraphs' in value ? [String(value.text)] : [];
    return [...own, ...Object.values(value).flatMap(textsWithMarks)];
  };
  const read = textsWithMarks(toOutline(profile!));
  const expected = textsOf(profile).flatMap(({ path, text }) => (isProse(path) && /[*`\]]/.test(text) ? [text] : []));
  assert.deepEqual(read.sort(), expected.filter((text) => text !== '').sort());
});

test('a link in a text is checked as others are, and one that is not read as a link is named', () => {
  const warned = (summary: string) => {
    const { profile } = readProfileText(marks);
    return lint({ ...profile!, candidate: { ...profile!.candidate, summary } }, new Date('2026-11-21'))
      .filter(({ path }) => path.join('.') === 'candidate.summary')
      .map(({ message }) => message);
  };
  assert.deepEqual(warned('[a](https://github.com/a) and [b](mailto:b@github.com)'), []);
  assert.deepEqual(
    warned('[a](http://localhost/x), [b](mailto:b@example.org?subject=c), [c](javascript:alert) and [d](/d)'),
    [
      'has a link to http://localhost/x: localhost exists on one machine or network only',
      'has a link to mailto:b@example.org?subject=c: example.org is an example domain that receives no mail',
      'has [c](javascript:alert), which is not read as a link: its address must be an http or https URL',
    ],
  );
  assert.deepEqual(warned('[a](https://github.com/"b") and [b](mailto:ada)'), [
    'has [a](https://github.com/"b"), which is not read as a link: its address must be in ASCII, all else percent-encoded',
    'has [b](mailto:ada), which is not read as a link: its address must have one e-mail address after mailto:, in ASCII',
  ]);
});
