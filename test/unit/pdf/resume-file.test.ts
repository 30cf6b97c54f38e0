import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { resumeFileOf } from '../../../src/service/printing.ts';
import { newFolder } from '../../support/files.ts';

test('the file of the resume has a URL only for the profile whose print it has', async (t) => {
  const path = join(newFolder(t), 'resume.pdf');
  const [ada, grace] = ['Ada', 'Grace'].map((name) => ({ candidate: { name }, resume: {} }) as Profile) as [
    Profile,
    Profile,
  ];
  const printed: string[] = [];
  let isFaulty = true;
  const file = resumeFileOf(
    path,
    async ({ candidate: { name } }) => {
      printed.push(name);
      return isFaulty ? null : ({ pdf: Buffer.from(name) } as unknown as RenderedResume);
    },
    { error: assert.fail },
  );
  await file.write(ada);
  assert.equal(file.urlOf(ada), null);
  isFaulty = false;
  await Promise.all([file.write(ada), file.write(ada)]);
  const url = pathToFileURL(path).href;
  assert.deepEqual([file.urlOf(ada), file.urlOf(grace), readFileSync(path, 'utf8')], [url, null, 'Ada']);
  await file.write(grace);
  assert.deepEqual([file.urlOf(ada), file.urlOf(grace), readFileSync(path, 'utf8')], [null, url, 'Grace']);
  assert.deepEqual(printed, ['Ada', 'Ada', 'Grace']);
});
