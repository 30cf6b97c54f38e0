import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMarks } from '../../../src/formats/outline/prose.ts';
import { documentNames, importFixture } from '../../support/documents.ts';

const results = await Promise.all(documentNames.map(importFixture));

for (const { name, lost, unread, invented, jobs, rightJobs } of results) {
  test(`every text of ${name} is somewhere in the profile, and no other`, () => {
    assert.deepEqual({ lost, unread, invented }, { lost: '', unread: '', invented: [] });
  });
  test(`the jobs of ${name} have their company, title and dates`, () => {
    assert.equal(rightJobs, jobs.length);
  });
}

const inHeader = await importFixture('word-header.docx');

test('the headers and footers of a Word document are read, without the numbers of its pages, and each text once', () => {
  const { candidate, resume, notes } = inHeader.profile;
  assert.deepEqual([candidate.name, candidate.location], ['Rosalind Achterberg', 'Harlingen, Netherlands']);
  assert.deepEqual([resume.email, resume.phone], ['rosalind@achterberg.example', '+31 20 555 0143']);
  assert.deepEqual(resume.links, [{ url: 'https://www.achterberg.example' }]);
  assert.deepEqual(notes, ['Member of the Wadden Nutrition Circle']);
  assert.doesNotMatch(JSON.stringify(inHeader.profile), /\bpage\b|\uFDD0/i);
});

test('signs of a document that would be read as marks stay what they are, and count as no emphasis', () => {
  const [, accomplishment] = inHeader.profile.experience[0]!.roles[0]!.accomplishments;
  assert.equal(
    accomplishment,
    'Cut the waiting time of new patients from \\*six\\* weeks to \\[two], see \\`waiting times\\`',
  );
  assert.equal(
    withoutMarks(accomplishment!),
    'Cut the waiting time of new patients from *six* weeks to [two], see `waiting times`',
  );
  assert.deepEqual(
    inHeader.lossReport.faithfulness.map(({ of }) => of),
    ['headings', 'order of sections', 'order of jobs', 'dates'],
  );
});
