import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { themes } from 'resume-profile/resume-design';
import { newFolder } from '../../../resume-profile/test/documents.ts';
import { letter, plain, readPdf, sample } from './rendered.ts';

test('a letter is printed in each theme below the head of the resume, and nothing of its sections', async () => {
  for (const theme of themes) {
    const { pdf, pages } = await openResumeRenderer({ ...plain, theme })(sample, '{}', letter);
    const read = await readPdf(pdf);
    const text = read.text.replace(/\s+/g, ' ');
    assert.equal(pages, 1);
    assert.match(text, /Lena Vasquez.*lena\.vasquez@example\.com/, theme);
    const body =
      'November 23, 2026 Ms Jo Roe Northwind, Inc. Application as engineer Dear Ms Roe, • first • second Kind regards,';
    assert.equal(text.split(body).length, 2, `${theme}: ${text}`);
    assert.doesNotMatch(text, /Experience|Skills|Confluent/i);
    const { info } = await read.pdf.getMetadata();
    assert.equal((info as { Title: string }).Title, 'Dr. Lena Vasquez – Application as engineer');
    assert.equal(await read.pdf.getAttachments(), null);
  }
});

test('a template that does not print all sections says so, and prints no resume in place of a letter', async (t) => {
  const template = join(newFolder(t), 'own.typ');
  writeFileSync(template, '#set document(title: "x")\n#set text(lang: "en")\n= Name');
  await assert.rejects(openResumeRenderer({ ...plain, template })(sample, '{}', letter), {
    message: 'the template prints no letter: it has to print all sections by `sections` of resume.typ',
  });
});
