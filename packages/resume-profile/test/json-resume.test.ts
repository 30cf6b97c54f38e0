import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { importResume } from 'resume-import/import-resume';
import { toJsonResume } from 'resume-profile/json-resume';
import type { Profile } from 'resume-profile/profile-document';
import { awkward, sample, small, whole } from '../../resume-documents/test/export/profiles.ts';
import { fixture } from './documents.ts';

/** The exported JSON, parsed. */
const exported = (profile: Profile) => JSON.parse(JSON.stringify(toJsonResume(profile, '1.2.3')));

test('an exported JSON Resume is valid against its schema, dates and addresses included', () => {
  const schema = JSON.parse(readFileSync(fixture('jsonresume.schema.json'), 'utf8'));
  const validate = addFormats.default(new Ajv({ allErrors: true })).compile(schema);
  for (const profile of [sample, small, awkward, whole]) {
    validate(exported(profile));
    assert.deepEqual(validate.errors ?? [], []);
  }
});

test('an entry with several roles becomes as many work items of one company, its summary with the first', () => {
  // biome-ignore format: a table
  assert.deepEqual(exported(small).work, [
    { id: 'exp_now', name: 'Nów GmbH', position: 'Staff Engineer', startDate: '2018-07-01', highlights: [],
      summary: 'Platform work.' },
    { id: 'exp_past', name: 'Past & Sons', position: 'Engineer', startDate: '2012-03-01', endDate: '2015-01-01',
      highlights: ['Wrote the importer'], summary: 'Backend work.' },
    { id: 'exp_past', name: 'Past & Sons', position: 'Senior Engineer', startDate: '2015-01-01', endDate: '2018-06-30',
      highlights: ['Led the rewrite', '**Halved** the cost'] },
  ]);
});

test('dates at a company that its roles do not imply are exported as well', () => {
  const [now, past] = exported(awkward).work;
  assert.deepEqual([now.companyStartDate, now.companyEndDate], ['2018-07-01', 'present']);
  assert.deepEqual(past, {
    id: 'exp_past',
    name: 'Past & Sons',
    startDate: '2012-03-01',
    endDate: '2018-06-30',
    summary: 'Backend work.',
  });
});

test('each value is in its JSON Resume field, or in a field of our own beside it', () => {
  const { $schema, work, ...rest } = exported(awkward);
  assert.deepEqual(rest, {
    basics: {
      id: 'cand_test',
      name: 'Tess Example',
      label: 'Software Engineer',
      email: 'tess@example.org',
      summary: 'Builds things that last.',
      location: { city: 'Lisbon, Portugal' },
      url: 'https://example.org',
      profiles: [{ network: 'Blog', url: 'https://blog.example.org' }],
      links: [{ label: 'Blog', url: 'https://blog.example.org' }, { url: 'https://example.org' }],
      yearsExperience: 12,
      domains: ['Storage', 'Streaming'],
      availability: 'open to opportunities',
    },
    // biome-ignore format: a table
    projects: [
      { id: 'proj', name: 'P', description: 'S', url: 'https://p.example/%C3%A4',
        links: { details: 'https://p.example/%C3%A4' } },
    ],
    skills: [],
    education: [
      { institution: 'U', startDate: '2001', end: 'present' },
      { institution: 'V', endDate: '2003-05', courses: ['Thesis'] },
    ],
    certificates: [{ name: 'C', date: '2019' }],
    publications: [{ name: 'Paper', releaseDate: '2019-02', url: 'https://example.org/paper' }],
    meta: { version: 'v1.0.0', generator: 'candidate-profile 1.2.3' },
  });
});

test('importing the export restores the profile, including ids', async () => {
  const { profile, report } = await importResume(Buffer.from(JSON.stringify(exported(sample))));
  // Notices go to the address of the resume, because owner_email is not exported.
  assert.deepEqual(profile, { ...sample, owner_email: 'lena.vasquez@example.com', background: true, evidence: true });
  assert.deepEqual([report.changed, report.notCarriedOver], [[], []]);
});

test('the export keeps how the PDF looks, and so does its import', async () => {
  const shown = { theme: 'modern', paper: 'us-letter', font: 'plex', size: 9.5, margins: 'wide', pages: 2 } as const;
  const look = { publication_style: 'by_year', ...shown, accent: '#0b5d6b' } as const;
  const { meta } = exported({ ...sample, resume: { ...sample.resume, ...look } });
  assert.equal(meta.publicationStyle, 'by_year');
  const { publication_style, ...design } = look;
  assert.deepEqual(meta.design, design);
  // Other programs take this for the name of a package.
  assert.equal(meta.theme, undefined);

  const importedWith = (changed: object) => {
    const file = exported(sample);
    return importResume(Buffer.from(JSON.stringify({ ...file, meta: { ...file.meta, ...changed } })));
  };
  const settingsIn = ({ resume }: Profile) =>
    Object.fromEntries(Object.entries(resume).filter(([key]) => key in look && key !== 'publications'));
  assert.deepEqual(settingsIn((await importedWith(meta)).profile), look);
});

test('an export with a value that a profile cannot have is read as any JSON Resume', async () => {
  const file = exported(sample);
  const changed = { ...file, meta: { ...file.meta, design: { theme: 'baroque' } } };
  const { profile } = await importResume(Buffer.from(JSON.stringify(changed)));
  assert.equal(profile.experience.length, sample.experience.length);
  assert.equal(profile.resume.theme, undefined);
});

test('the first day at a company is that of its earliest role', () => {
  const [role] = small.experience[1]!.roles;
  const roles = [
    { ...role!, start_date: '2014-01-01', end_date: '2018-06-30' },
    { ...role!, start_date: '2012-03-01', end_date: '2014-01-01' },
  ];
  const { work } = exported({ ...small, experience: [{ ...small.experience[1]!, roles }] });
  assert.equal(work[0].companyStartDate, undefined);
});

test('the site is the link that is at no network, without a label if there are several', () => {
  const basicsOf = (...links: NonNullable<Profile['resume']['links']>) => {
    const { url, profiles } = exported({ ...small, resume: { skills: [], links } }).basics;
    return { url, profiles };
  };
  assert.deepEqual(
    basicsOf(
      { label: 'LinkedIn', url: 'https://de.linkedin.com/in/ada/' },
      { url: 'https://github.com/ada' },
      { label: 'Blog', url: 'https://blog.example.org' },
      { url: 'https://ada.example.org' },
    ),
    {
      url: 'https://ada.example.org',
      profiles: [
        { network: 'LinkedIn', username: 'ada', url: 'https://de.linkedin.com/in/ada/' },
        { network: 'GitHub', username: 'ada', url: 'https://github.com/ada' },
        { network: 'Blog', url: 'https://blog.example.org' },
      ],
    },
  );
  const blog = 'https://blog.example.org';
  assert.deepEqual(basicsOf({ label: 'Blog', url: blog }), { url: blog, profiles: [] });
  assert.deepEqual(
    basicsOf(
      { url: 'https://scholar.google.com/citations?user=a_b&hl=en' },
      { label: 'Mastodon', url: 'https://hachyderm.io/@ada' },
      { label: 'My compiler', url: 'https://github.com/ada/compiler' },
    ),
    {
      url: undefined,
      // biome-ignore format: a table
      profiles: [
        { network: 'Google Scholar', username: 'a_b', url: 'https://scholar.google.com/citations?user=a_b&hl=en' },
        { network: 'Mastodon', username: 'ada', url: 'https://hachyderm.io/@ada' },
        { network: 'My compiler', url: 'https://github.com/ada/compiler' },
      ],
    },
  );
});

test('every key of a profile has its field, and open ends are told from ends that are not stated', () => {
  const { $schema, basics, meta, work, ...rest } = exported(whole);
  assert.deepEqual([meta.language, meta.order], ['en', ['summary', 'experience', 'Talks', 'education']]);
  assert.deepEqual(
    work.map((item: Record<string, unknown>) => [item.position, item.location, item.companyLocation, item.url]),
    [
      ['Lead Hydrologist', 'Uppsala', 'Uppsala', 'https://watergauge.example'],
      ['Hydrologist', 'Stockholm', undefined, 'https://watergauge.example'],
      ['Research Assistant', 'Delft, Netherlands', undefined, undefined],
    ],
  );
  // biome-ignore format: a table
  assert.deepEqual(rest, {
    projects: [
      { id: 'proj_floodmap', name: 'Floodmap', description: 'Maps of which streets flood first.',
        highlights: ['Used by six towns', 'Runs on a laptop'], keywords: ['Python', 'GDAL'], startDate: '2020-05',
        end: 'present', url: 'https://floodmap.example', roles: ['Maintainer'],
        links: { github: 'https://github.com/example/floodmap', live: 'https://floodmap.example' } },
    ],
    skills: [
      { name: 'Modelling', level: 'Expert', keywords: ['HEC-RAS', 'Python'] },
      { name: 'Field work', keywords: ['Gauging', 'Surveying'] },
    ],
    education: [
      { institution: 'Uppsala University', area: 'Hydrology', studyType: 'MSc', location: 'Uppsala', startDate: '2009',
        endDate: '2014-06', score: 'passed with distinction', url: 'https://uu.example', courses: ['Fluid mechanics',
        'Statistics'] },
      { institution: 'Delft Summer School', startDate: '2024', end: 'present' },
    ],
    certificates: [
      { name: 'Diver, class B', issuer: 'Swedish Transport Agency', date: '2016-05', url: 'https://divers.example/nora',
        summary: 'Work under water to 50 metres.' },
    ],
    languages: [{ language: 'Swedish', fluency: 'native' }, { language: 'Dutch' }],
    publications: [
      { name: 'Sediment after the dam', authors: ['J. de Vries', 'Nora Lindqvist', 'P. Holm'], publisher: 'Journal of Rivers',
        releaseDate: '2018', url: 'https://doi.example/10.1/sediment', summary: 'Why the river below the dam digs deeper.' },
    ],
    awards: [
      { title: 'Young Hydrologist of the Year', awarder: 'Nordic Water Association', date: '2017-11-04',
        url: 'https://nwa.example/2017', summary: 'For the measurements below the dam.' },
    ],
    volunteer: [
      { organization: 'Flood Watch', position: 'Coordinator', location: 'Uppsala', startDate: '2021-03', end: 'present',
        url: 'https://floodwatch.example', summary: 'Thirty people who read gauges at night.',
        highlights: ['Trained the volunteers'] },
    ],
    interests: [{ name: 'Canoeing', keywords: ['white water', 'building boats'] }, { name: 'Choir' }],
    references: [{ name: 'Prof. Anna Bos', reference: 'Nora notices what others measure past.' }],
    sections: [
      { title: 'Talks', entries: [{ name: 'When the river comes', organization: 'Nordic Water Days', location: 'Oslo',
        date: '2023-09', url: 'https://talks.example/river', summary: 'Keynote.', highlights: ['Two hundred listeners'] }] },
      { title: 'Patents', entries: [{ name: 'Float for a gauge', details: 'SE 999 999' },
        { bullet: 'A second one is pending' }, { text: 'Both with the River Institute.' }] },
    ],
  });
});

test('references are exported only if they are printed, and empty texts not at all', () => {
  const references = { print: false, entries: [{ name: 'Prof. Anna Bos', reference: 'Do not call me.' }] };
  const candidate = { ...whole.candidate, title: '', location: '', summary: '' };
  const json = exported({ ...whole, candidate, resume: { ...whole.resume, references } });
  assert.equal(json.references, undefined);
  assert.deepEqual([json.basics.label, json.basics.location, json.basics.summary], [undefined, undefined, undefined]);
  assert.equal(JSON.stringify(json).includes('""'), false);
});
