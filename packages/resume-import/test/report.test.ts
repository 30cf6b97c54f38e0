import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importResume } from 'resume-import/import-resume';
import { refusalOf, toSummary } from 'resume-import/report/summary';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { toLineOf } from 'resume-profile/yaml/yaml';

const imported = (resume: unknown) => importResume(Buffer.from(JSON.stringify(resume)));

test('the report of an import says what only notes keep, what to look at on which line, and what is kept', async () => {
  const result = await imported({
    $schema: 'https://example.org/schema.json',
    basics: { name: 'Ada King', url: 'not an address' },
    work: [
      { name: 'Mill', position: 'Clerk', startDate: '2016', endDate: '2017' },
      { name: 'Engines', startDate: '2018', url: 'nowhere' },
      { name: 'Bank' },
    ],
    certificates: [{ issuer: 'CNCF' }, { issuer: 'ISO' }],
  });
  const yaml = toProfileYaml(result.profile, { schema: 'profile.schema.json' });
  assert.equal(
    toSummary(result, toLineOf(yaml)),
    `Read as JSON Resume; kept 12 of its 12 values, 100 %, 4 of them in notes, not counting 1 about its layout or private.

Kept in notes, which are shown to nobody:
  url of 1 job (It is not a web address)
  url (It is not a web address)
  2 certifications (It belongs to an entry without name)

Left empty, because the resume does not say it:
  line 11: owner_email (serve needs your address, here or in OWNER_EMAIL)
  line 17: candidate.title
  line 18: candidate.location
  line 19: candidate.summary
  line 20: candidate.domains
  lines 31, 42: experience[].summary
  line 60: availability.status
  line 68: resume.skills

Filled in; correct what is wrong:
  line 15: candidate.id, experience[].id (derived from the name; programs refer to it, so do not change it)
  line 70: resume.sections[0]: 1 job (the resume does not say when they began, which experience requires)

Kept: 2 jobs, 1 in “Work”.`,
  );
  for (const [line, text] of [
    [11, '# owner_email: # TODO'],
    [18, '  location: "" # TODO'],
    [70, '    - title: Work'],
  ] as const)
    assert.ok(yaml.split('\n')[line - 1]!.startsWith(text), text);
});

test('of entries that only notes keep, for several reasons, none is given', async () => {
  const lossesOf = async (...urls: string[]) => {
    const links = { live: 'https://a.example', github: 'https://b.example', details: 'https://c.example' };
    const { report } = await imported({ projects: urls.map((url, index) => ({ name: `P${index}`, url, links })) });
    return report.sections.flatMap(({ notes }) => notes);
  };
  assert.deepEqual(await lossesOf('nowhere', 'nothing'), ['url of 2 projects (It is not a web address)']);
  assert.deepEqual(await lossesOf('nowhere', 'https://d.example'), ['url of 2 projects']);
});

test('an import that reads no job though the resume has some is refused, and one that loses most of it', async () => {
  const refusal = async (resume: object) =>
    refusalOf(await imported({ basics: { name: 'Ada', label: 'Clerk' }, ...resume }));
  assert.equal(
    await refusal({ work: [{ startDate: 'soon' }] }),
    'read as JSON Resume, it has jobs, but none of them could be read',
  );
  const certificates = [{ issuer: 'A' }, { issuer: 'B' }, { issuer: 'C' }];
  assert.equal(
    await refusal({ certificates }),
    'read as JSON Resume, only 2 of its 5 values have a place in a profile, 40 %',
  );
  assert.equal(await refusal({ certificates: certificates.slice(1) }), null);
  assert.equal(await refusal({ work: [{ name: 'Mill' }] }), null);
});
