import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { suite, test } from 'node:test';
import { type Outline, toOutline } from 'resume-documents/outline/outline';
import { printedProfileOf } from 'resume-documents/outline/printed-profile';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { importDocument } from 'resume-import/import-resume';
import { readPdf } from 'resume-import/source/pdf-document';
import type { Profile } from 'resume-profile/profile-document';
import { themes } from 'resume-profile/resume-design';
import { plain, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { everySectionPath, fixture } from '../../support/files.ts';

const paths = [everySectionPath, ...globSync(['profile.yaml', 'languages/*.yaml'], { cwd: fixture('') }).map(fixture)];
const profiles: [name: string, profile: Profile][] = [
  ['the sample', sample],
  ...paths.map((path): [string, Profile] => [basename(path), readProfile(path).profile!]),
];

/** An outline without what only the page shows. */
const printedOf = ({ blocks, ...outline }: Outline) => ({
  ...outline,
  blocks: blocks.filter(({ key }) => key !== 'facts'),
});

/** The part of an imported profile that its PDF has: without the fields that an import fills in. */
const attachedIn = ({ owner_email: _, background: __, evidence: ___, public: ____, ...profile }: Profile) => profile;

for (const [name, profile] of profiles)
  suite(`the profile in the PDF of ${name}`, () => {
    test('prints the same as the whole one', () => {
      const printed = printedProfileOf(profile);
      assert.deepEqual(printedOf(toOutline(printed)), printedOf(toOutline(profile)));
    });

    for (const theme of themes)
      test(`comes back from the theme ${theme} as it was`, async () => {
        const { pdf } = await openResumeRenderer({ ...plain, theme })(profile, '{}');
        const { format, profile: restored } = importDocument(await readPdf(pdf));
        assert.equal(format, 'PDF of candidate-profile');
        assert.deepEqual(attachedIn(restored), printedProfileOf(profile));
      });
  });

test('notes, availability, settings, ids and the owner’s address are not in the PDF', async () => {
  const secret = (text: string) => `zqx ${text}`;
  const profile: Profile = {
    ...sample,
    owner_email: 'zqx@example.org',
    notes: [secret('note')],
    availability: { status: secret('status') },
    candidate: { ...sample.candidate, id: 'zqx_id' },
    experience: sample.experience.map((job) => ({ ...job, id: `zqx_${job.id}` })),
    accent: '#0b5d6b',
    resume: {
      ...sample.resume,
      pdf_url: 'https://zqx.example/own.pdf',
      photo: 'zqx.png',
      references: { print: false, entries: [{ name: secret('name'), reference: secret('reference') }] },
    },
  };
  const { pdf } = await openResumeRenderer(plain)(profile, '{}');
  const document = await readPdf(pdf);
  const attached = document.kind === 'PDF' ? document.attachedProfile! : '';
  assert.match(attached, /Staff Software Engineer/);
  assert.doesNotMatch(attached, /zqx|0b5d6b|accent|references|notes|owner/i);
});

test('a skill in no group, a project without a link and a section that continues one with a key are in it', () => {
  const resume: Profile['resume'] = {
    skills: ['Go'],
    skill_groups: [{ name: 'Empty', level: 'good', skills: [] }],
    sections: [{ title: 'Education', entries: [{ text: 'A course' }] }],
    order: ['education', 'summary'],
  };
  const profile = { ...sample, resume };
  assert.deepEqual(printedProfileOf(profile).resume, { ...resume, skills: [] });
});

test('a PDF whose attachment is not a profile is read as any other', async () => {
  const { pdf } = await openResumeRenderer(plain)(sample, '{}');
  const document = { ...(await readPdf(pdf)), attachedProfile: '{"candidate": 1}' };
  const { format, profile } = importDocument(document);
  assert.deepEqual([format, profile.candidate.name], ['PDF', 'Dr. Lena Vasquez']);
});

/** The jobs of a profile as they are printed, with the months of their dates. */
const jobsOf = ({ experience }: Profile) =>
  experience.flatMap(({ company, roles }) =>
    roles.map(({ title, start_date, end_date }) =>
      [title, company, start_date.slice(0, 7), end_date?.slice(0, 7)].join(', '),
    ),
  );

for (const theme of themes)
  test(`the jobs in the theme ${theme} are read without the attachment, roles below their company too`, async () => {
    for (const profile of [
      sample,
      readProfile(everySectionPath).profile!,
      readProfile(fixture('languages/de.yaml')).profile!,
    ]) {
      const { pdf } = await openResumeRenderer({ ...plain, theme })(profile, '{}');
      const document = { ...(await readPdf(pdf)), attachedProfile: null };
      assert.deepEqual(jobsOf(importDocument(document).profile), jobsOf(profile));
    }
  });
