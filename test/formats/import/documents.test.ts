import assert from 'node:assert/strict';
import { test } from 'node:test';
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
