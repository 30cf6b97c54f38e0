import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import validate from '@ooxml-tools/validate';
import { toDocx } from 'resume-documents/docx/resume';
import { withoutMetadata } from 'resume-documents/pdf/photo';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { toPlainText } from 'resume-documents/plain-text';
import type { Profile } from 'resume-profile/profile-document';
import { wordsOf as resumeWordsOf } from 'resume-profile/resume-language';
import { letter, plain, readPdf, rendererOf, sample } from '../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import { everySectionPath, fixture, makeFolder } from '../support/files.ts';
import { exifOf, jpegOf, segmentOf, withSegments } from '../support/images.ts';

const at = (path: string): Profile => readProfile(path).profile!;
const fontsOf = (script: string): string =>
  fileURLToPath(new URL('../fonts', import.meta.resolve(`@embedpdf/fonts-${script}`)));

const withJobs = (count: number): Profile => ({
  ...sample,
  experience: Array.from({ length: count }, (_, index) => sample.experience[index % sample.experience.length]!),
});
const turned = withoutMetadata(withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6))));

interface Resume {
  readonly profile: Profile;
  readonly fontDir?: string;
}
const resumes: Readonly<Record<string, Resume>> = {
  junior: { profile: { ...withJobs(2), projects: [], resume: { ...sample.resume, publications: [] } } },
  senior: { profile: sample },
  'forty-jobs': { profile: withJobs(40) },
  'every-section': { profile: at(everySectionPath) },
  marks: { profile: at(fixture('marks.yaml')) },
  polish: { profile: { ...sample, resume: { ...sample.resume, language: 'pl' } } },
  german: { profile: at(fixture('languages/de.yaml')) },
  arabic: { profile: at(fixture('languages/ar.yaml')), fontDir: fontsOf('arabic') },
  chinese: { profile: at(fixture('languages/zh.yaml')), fontDir: fontsOf('sc') },
};

const documents = [...Object.keys(resumes), 'photo', 'letter'];

const folder = makeFolder();
const pathOf = (name: string, extension: string) => join(folder, `${name}.${extension}`);

/** Converts documents by LibreOffice, with a profile of its own. */
const convert = (names: readonly string[], to: string) =>
  execFileSync(
    'soffice',
    [
      '--headless',
      `-env:UserInstallation=file://${join(folder, 'libreoffice')}`,
      ...['--convert-to', to, '--outdir', folder],
      ...names.map((name) => pathOf(name, 'docx')),
    ],
    { stdio: 'ignore', timeout: 180_000 },
  );

before(async () => {
  for (const [name, { profile }] of Object.entries(resumes))
    writeFileSync(pathOf(name, 'docx'), await toDocx(profile, { paper: 'a4', photo: null }));
  writeFileSync(pathOf('photo', 'docx'), await toDocx(sample, { paper: 'us-letter', photo: turned }));
  writeFileSync(pathOf('letter', 'docx'), await toDocx(sample, { paper: 'a4', photo: null }, letter));
  convert(documents, 'pdf');
});

/** The words of a PDF without those at the feet of pages, in capitals, which small capitals are in a PDF. */
function wordsOf(text: string, { candidate, resume }: Profile): string[] {
  const foot = resumeWordsOf(resume.language).page.replace(/\{pages?\}/g, '\\d+');
  return text
    .replaceAll(new RegExp(`${candidate.name} · ${foot}`, 'g'), '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/-\s+/g, '-') // a line may end at a hyphen
    .split(/[\s·•‣]+/)
    .filter((word) => word !== '');
}

for (const [name, { profile, fontDir }] of Object.entries(resumes))
  test(`LibreOffice prints of the document of Word what is in our PDF, in its order: ${name}`, async () => {
    const ours = await rendererOf({ ...(fontDir && { fontDir }) })(profile);
    const theirs = await readPdf(readFileSync(pathOf(name, 'pdf')));
    // From right to left, a PDF has the letters as they are drawn.
    if (name !== 'arabic') assert.deepEqual(wordsOf(theirs.text, profile), wordsOf(ours.text, profile));
    const linksIn = ({ pages }: typeof theirs) => [...new Set(pages.flatMap(({ links }) => links))].sort();
    assert.deepEqual(linksIn(theirs), linksIn(ours));
    assert.ok(Math.abs(theirs.pages.length - ours.pages.length) <= 1);
  });

test('LibreOffice prints of a letter for Word what is in our PDF of it', async () => {
  const { pdf } = await openResumeRenderer(plain)(sample, '{}', letter);
  const [ours, theirs] = [await readPdf(pdf), await readPdf(readFileSync(pathOf('letter', 'pdf')))];
  assert.deepEqual(wordsOf(theirs.text, sample), wordsOf(ours.text, sample));
});

test('LibreOffice reads a document from right to left in the order of the plain text', () => {
  const profile = at(fixture('languages/ar.yaml'));
  convert(['arabic'], 'txt:Text (encoded):UTF8');
  // Neither domains nor availability are printed.
  const { candidate, availability } = profile;
  const printed = {
    ...profile,
    candidate: { ...candidate, domains: [] },
    availability: { ...availability, status: '' },
  };
  const lettersOf = (text: string) =>
    wordsOf(text.replaceAll('https://', ''), profile)
      .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
      .filter((word) => word !== '');
  assert.deepEqual(lettersOf(readFileSync(pathOf('arabic', 'txt'), 'utf8')), lettersOf(toPlainText(printed)));
});

test('every document is valid for Office 2007 and for Microsoft 365', async () => {
  for (const name of documents)
    for (const officeVersion of ['Office2007', 'Microsoft365'] as const) {
      const file = new Uint8Array(readFileSync(pathOf(name, 'docx')));
      assert.deepEqual(await validate(file, 'docx', officeVersion), [], `${name}, ${officeVersion}`);
    }
});
