import assert from 'node:assert/strict';
import { mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { readProfileText } from 'resume-profile/profile-reader';
import { openProfile, readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { samplePath } from '../../../src/service/config/config.ts';

const sample = await readFile(samplePath, 'utf8');
const parent = await mkdtemp(join(tmpdir(), 'profile-'));
after(() => rm(parent, { recursive: true }));

let path: string;
beforeEach(async () => {
  path = join(await mkdtemp(join(parent, 'case-')), 'profile.yaml');
});

/** Returns the faults of a text, with `FILE` for the path of its file. */
async function faultsOf(text: string | Uint8Array): Promise<string[]> {
  await writeFile(path, text);
  return readProfile(path).faults.map((fault) => fault.replace(path, 'FILE'));
}

test('all faults of a file are reported at once, each with its line and column', async () => {
  const text = `
owner_email: nobody
candidate:
  id: cand one
  name: "  "
  title: [Engineer]
  location: {city: Paris}
  years_experience: 3.5
  domains: {storage: yes}
  shoe_size: 44
  shoe_colour: red
experience:
  - id: exp_one
    company: One
    company_start_date: 2023-02-30
    current: maybe
    summary: ""
    roles: Engineer
  - nothing
projects: [{id: proj, name: P, summary: S, links: {github: ftp://example.org, gitlab: x}}, {id: proj}]
resume:
  skills: {Go: 9}
  education: [{institution: U, start_date: 2011, end_date: soon}]
public: [name, phone]
`;
  assert.deepEqual(await faultsOf(text), [
    'FILE:2:1: availability: is required',
    'FILE:2:14: owner_email: must be a valid email address',
    'FILE:4:3: candidate.summary: is required',
    'FILE:4:7: candidate.id: must be 1 to 100 of the characters A-Z a-z 0-9 . _ ~ -, a letter or digit first',
    'FILE:5:9: candidate.name: must not be blank; write "" if there is nothing to say',
    'FILE:6:10: candidate.title: must be a string',
    'FILE:7:13: candidate.location: must be a string',
    'FILE:8:21: candidate.years_experience: must be a whole number',
    'FILE:9:12: candidate.domains: must be a list',
    'FILE:10:3: candidate.shoe_size: is not a known key',
    'FILE:11:3: candidate.shoe_colour: is not a known key',
    'FILE:15:25: experience[0].company_start_date: must be a date: YYYY-MM-DD, YYYY-MM or YYYY',
    'FILE:16:14: experience[0].current: must be true or false',
    'FILE:18:12: experience[0].roles: must be a list',
    'FILE:19:5: experience[1]: must be an object',
    'FILE:20:60: projects[0].links.github: must be an http or https URL',
    'FILE:20:79: projects[0].links.gitlab: is not a known key',
    'FILE:20:92: projects[1].name: is required',
    'FILE:20:92: projects[1].summary: is required',
    'FILE:20:97: projects[1].id: must be unique, another has this id',
    'FILE:22:11: resume.skills: must be a list',
    'FILE:23:60: resume.education[0].end_date: must be a date: YYYY-MM-DD, YYYY-MM or YYYY',
    'FILE:24:16: public[1]: must be one of id, name, title, location, summary, years_experience, domains, availability, counts',
  ]);
});

test('contradictory dates are reported even if other fields are wrong', async () => {
  const text = sample
    .replace('name: Dr. Lena Vasquez', 'name: []')
    .replace('company: Confluent', 'company: []')
    .replace('current: true', 'current: false')
    .replace('title: Software Engineer', 'title: []')
    .replace('end_date: 2017-08-31', 'end_date: 2015-05-31')
    .replace('company_end_date: 2015-05-01', 'company_end_date: 2011-07-31')
    .replace('end_date: 2011-06\n', 'end_date: "2005"\n')
    .replace('end_date: 2006-05\n', 'end_date: "2002"\n');
  const faults = await faultsOf(text);
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^FILE:\d+:\d+: /, '')),
    [
      'candidate.name: must be a string',
      'experience[0].company: must be a string',
      'experience[0].current: must be true exactly when company_end_date is null',
      'experience[1].roles[1].title: must be a string',
      'experience[1].roles[1].end_date: must not be before start_date',
      'experience[2].company_end_date: must not be before company_start_date',
      'resume.education[0].end_date: must not be before start_date',
    ],
  );
});

test('a duplicate key is reported together with the other faults', async () => {
  const faults = await faultsOf(sample.replace('  location:', '  id: again\n  location:').replace('skills:', 'skill:'));
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^FILE:\d+:/, '')),
    [
      '3: candidate.id: is given twice',
      '3: resume.skill: is not a known key; did you mean skills?',
      '3: resume.skills: is required, unless there are skill_groups',
    ],
  );
});

test('a profile with a duplicate key is rejected; in a list, the fault names the entry', async () => {
  const faults = await faultsOf('list: [{}, {id: a, id: b}]\nkey: {id: c, id: d}\n');
  assert.deepEqual(
    faults.filter((fault) => fault.endsWith('is given twice')),
    ['FILE:1:20: list[1].id: is given twice', 'FILE:2:14: key.id: is given twice'],
  );
  await writeFile(path, sample.replace('  location:', '  id: again\n  location:'));
  assert.equal(readProfile(path).profile, null);
});

test('a misspelled key is told the probable one, unless that is there or differs too much', async () => {
  const text = `${sample.replace(/^public:.*\n/m, '')}\npublik: [name]\nexperiance: []\nshoe: 1\n`;
  assert.deepEqual(
    (await faultsOf(text)).map((fault) => fault.replace(/^FILE:\d+:1: /, '')),
    ['publik: is not a known key; did you mean public?', 'experiance: is not a known key', 'shoe: is not a known key'],
  );
});

test('$schema must be a string', async () => {
  assert.deepEqual(await faultsOf(`$schema: []\n${sample}`), ['FILE:1:10: $schema: must be a string']);
});

test('keys are quoted as they are written', async () => {
  const keys = ['a b', '"c.d e"', 'k'.repeat(100)];
  const faults = await faultsOf(`${sample}\n${keys.map((key) => `${key}: 1\n`).join('')}`);
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^FILE:\d+:1: /, '')),
    ['["a b"]: is not a known key', '["c.d e"]: is not a known key', `${'k'.repeat(100)}: is not a known key`],
  );
});

test('the faults of a text without a file name no file', () => {
  assert.deepEqual(readProfileText('').faults, ['1:1: is empty']);
  const { faults } = readProfileText(`${sample}\n${linesOf(130, (index) => `key_${index}: 1`)}\n`);
  assert.equal(faults.at(-1), '30 more faults');
});

test('invalid YAML and a second document are reported with line and column', async () => {
  assert.deepEqual(await faultsOf('candidate: "Lena'), ['FILE:1:17: Missing closing "quote']);
  assert.deepEqual(await faultsOf('a: b: c'), [
    'FILE:1:4: a: must be in quotes, because it has a colon and a space: "b: c"',
  ]);
  assert.deepEqual(await faultsOf('a: 1\n---\nb: 2\n'), ['FILE:2:1: only one document is allowed']);
  assert.deepEqual(await faultsOf('Lena'), ['FILE:1:1: must be an object']);
  assert.deepEqual(await faultsOf('a: 1\n]'), ['FILE:2:1: Unexpected flow-seq-end token in YAML stream: "]"']);
  assert.deepEqual(await faultsOf(`a: |${'x'.repeat(300)}\n b`), [
    `FILE:1:5: a: Block scalar header includes extra characters: |${'x'.repeat(300)}`.slice(0, 213),
  ]);
});

test('anchors and aliases work; an alias without an anchor and too many aliases are faults', async () => {
  const shared = sample.replace('[Go, Raft, Consensus]', '&tags [Go, Raft, Consensus]');
  assert.deepEqual(await faultsOf(shared.replace('[Consistency models, Replication]', '*tags')), []);
  assert.deepEqual(
    await faultsOf(shared.replace('Raft,', '[],').replace('[Consistency models, Replication]', '*tags')),
    ['FILE:88:22: projects[0].tags[1]: must be a string', 'FILE:88:22: projects[1].tags[1]: must be a string'],
  );
  assert.deepEqual(await faultsOf('candidate:\n  title: *Engineer'), [
    'FILE:2:10: candidate.title: is an alias without an anchor; put text that begins with * in quotes',
  ]);
  assert.deepEqual(await faultsOf('*Engineer'), [
    'FILE:1:1: is an alias without an anchor; put text that begins with * in quotes',
  ]);
  const nines = (inner: string) => `[${Array(9).fill(inner).join(', ')}]`;
  const laughs = `a: &a ${nines('ha')}\nb: &b ${nines('*a')}\nc: &c ${nines('*b')}\nd: ${nines('*c')}`;
  assert.deepEqual(await faultsOf(laughs), ['FILE:1:1: too many aliases']);
});

test('a profile may be JSON, also with a byte-order mark and Windows line endings', async () => {
  const { profile } = readProfile(samplePath);
  const json = JSON.stringify(profile, null, '\t').replaceAll('\n', '\r\n');
  assert.deepEqual(await faultsOf(`\ufeff${json}`), []);
  assert.deepEqual(readProfile(path).profile, profile);
});

test('experience is sorted: ongoing first, then by latest end', async () => {
  const [rest, experience] = [
    sample.replace(/^experience:.*?(?=^projects:)/ms, ''),
    readProfile(samplePath).profile!.experience,
  ];
  await writeFile(path, `${rest}\nexperience: ${JSON.stringify(experience.toReversed())}\n`);
  assert.deepEqual(
    readProfile(path).profile?.experience.map(({ id }) => id),
    ['exp_confluent', 'exp_dropbox', 'exp_rackspace'],
  );
});

test('of jobs with the same end the one that began last is first; then the text decides', async () => {
  const job = (id: string, start: string) =>
    `{id: ${id}, company: C, company_start_date: ${start}, current: true, summary: S, roles: []}`;
  const jobs = [job('old', '2016-01-01'), job('one', '2018-01-01'), job('two', '2018-01-01')];
  const rest = sample.replace(/^experience:.*?(?=^projects:)/ms, '');
  await writeFile(path, `${rest}\nexperience: [${jobs.join(', ')}]\n`);
  assert.deepEqual(
    readProfile(path).profile?.experience.map(({ id }) => id),
    ['one', 'two', 'old'],
  );
});

test('a file that cannot be read is one fault on one line', async () => {
  assert.deepEqual(readProfile('/nowhere/profile.yaml').faults, ['/nowhere/profile.yaml: does not exist']);
  assert.deepEqual(readProfile(parent).faults, [`${parent}: is a folder`]);
  assert.deepEqual(readProfile('/dev/null').faults, ['/dev/null: is not a file']);
  assert.deepEqual(readProfile(join(samplePath, 'x')).faults, [`${samplePath}/x: cannot be read (ENOTDIR)`]);
  assert.deepEqual(await faultsOf(Buffer.from('candidate: Zo\xeb', 'latin1')), ['FILE: is not UTF-8 text']);
  assert.deepEqual(await faultsOf('#'.repeat(1024 * 1024 + 1)), ['FILE: is larger than 1 MiB']);
  assert.deepEqual(await faultsOf('#'.repeat(1024 * 1024)), ['FILE:1:1: is empty']);
  assert.deepEqual(await faultsOf(''), ['FILE:1:1: is empty']);
  assert.deepEqual(await faultsOf('# to be written\n'), ['FILE:1:1: is empty']);
  assert.deepEqual(
    readProfile('/nowhere/profile.yaml').warnings(() => [{ path: [], message: 'is odd' }]),
    [],
  );
});

test('a profile with faults is not opened, and the error lists them all', async () => {
  await writeFile(path, sample.replace('name: Dr. Lena Vasquez', 'name: []').replace('current: true', 'current: 1'));
  assert.throws(() => openProfile({ path, log: pino({ enabled: false }) }), {
    message: `${path}:14:9: candidate.name: must be a string\n${path}:34:14: experience[0].current: must be true or false`,
  });
});

/** Opens the profile at `path`; `settle` lets the time pass within which a saved file is read. */
async function openPolled(t: TestContext, text: string) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await writeFile(path, text);
  const lines: { msg: string; faults?: string[] }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const profile = openProfile({ path, log });
  t.after(profile.close);
  const settle = () => {
    for (const milliseconds of [500, 150]) t.mock.timers.tick(milliseconds);
  };
  return { profile, lines, settle };
}

test('a valid save replaces the profile; an invalid, truncated or removed file is logged once', async (t) => {
  const { profile, lines, settle } = await openPolled(t, sample);
  const reloaded: string[] = [];
  profile.onReload(({ candidate }) => reloaded.push(candidate.title));
  const titled = (title: string) => sample.replace('Staff Software Engineer, Distributed Systems', title);

  await writeFile(path, titled('Principal Engineer'));
  settle();
  assert.equal(profile.current().candidate.title, 'Principal Engineer');

  await truncate(path, 900);
  settle();
  assert.equal(profile.isStale(), true);

  await rm(path);
  settle();
  assert.equal(profile.isStale(), true);
  assert.equal(profile.current().candidate.title, 'Principal Engineer');

  await writeFile(`${path}.new`, titled('Architect'));
  await rename(`${path}.new`, path);
  settle();
  assert.equal(profile.isStale(), false);
  assert.equal(profile.current().candidate.title, 'Architect');

  assert.deepEqual(reloaded, ['Principal Engineer', 'Architect']);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['profile reloaded', 'profile not reloaded', 'profile not reloaded', 'profile reloaded'],
  );
  assert.deepEqual(lines[2]?.faults, [`${path}: does not exist`]);
});

test('a save is read when the file is the same in two polls, and never after the profile was closed', async (t) => {
  const titled = (title: string) => sample.replace('title: Staff', `title: ${title}`);
  const { profile, settle } = await openPolled(t, titled('Aaaaa'));
  const served: string[] = [];
  profile.onReload(({ candidate }) => served.push(candidate.title.slice(0, 5)));
  assert.equal(profile.isStale(), false);
  // The time until the next look, which comes soon after a change.
  for (const [title, milliseconds] of [
    ['Bbbbb', 500],
    ['Ccccc', 150],
  ] as const) {
    await writeFile(path, titled(title)); // as long as the one before
    t.mock.timers.tick(milliseconds);
    assert.deepEqual(served, []);
  }
  settle();
  assert.deepEqual(served, ['Ccccc']);

  profile.close();
  await writeFile(path, titled('Ddddd'));
  settle();
  assert.deepEqual(served, ['Ccccc']);
});

/** Returns `count` lines. */
const linesOf = (count: number, lineOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => lineOf(index)).join('\n');

test('the first 100 faults are reported in the order of the text, then the number of the others [TRUST-41]', async () => {
  const faults = await faultsOf(`${sample}\n${linesOf(130, (index) => `key_${index}: 1`)}\n`);
  assert.equal(faults.length, 101);
  assert.match(faults[0]!, /^FILE:\d+:1: key_0: is not a known key$/);
  assert.match(faults[99]!, /^FILE:\d+:1: key_99: is not a known key$/);
  assert.equal(faults[100], 'FILE: 30 more faults');
});

test('a key in a fault is cut to 100 characters [TRUST-41]', async () => {
  const [fault] = await faultsOf(`${sample}\n${'k'.repeat(1_000)}: 1\n`);
  assert.equal(fault?.replace(/^FILE:\d+:1: /, ''), `["${'k'.repeat(100)}…"]: is not a known key`);
});

test('a syntax error is reported alone [TRUST-41]', async () => {
  assert.deepEqual(await faultsOf('a: b: c\nd: "\\q"\nd: ]\n'), [
    'FILE:1:4: a: must be in quotes, because it has a colon and a space: "b: c"',
  ]);
  assert.deepEqual(
    await faultsOf(linesOf(500, (index) => `12:00:0${index % 10} [info] request ${index}: "/" took {`)),
    [
      'FILE:1:32: ["12:00:00 [info] request 0"]: a text that begins with a quote, [ or { has to be in quotes as a whole',
    ],
  );
});

test('a key must be text', async () => {
  assert.deepEqual(await faultsOf('? [a, b]\n: c\n'), ['FILE:1:3: a key must be text']);
  assert.deepEqual(await faultsOf('? ["\\q"]\n: c\n'), ['FILE:1:3: a key must be text']);
});

test('an order that names no section says which there are', async () => {
  const faults = await faultsOf(sample.replace('  skills:', '  order: [skills, Talks]\n  skills:'));
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^FILE:\d+:/, '')),
    [
      '19: resume.order[1]: must be one of summary, experience, projects, skills, education, certifications, languages, publications, awards, volunteer, interests, references, or the title of one of your sections',
    ],
  );
});

test('what the page offers for download is a list of files, which need not name the PDF', async () => {
  const faultsWith = async (list: string) =>
    (await faultsOf(sample.replace('  skills:', `  downloads: ${list}\n  skills:`))).map((fault) =>
      fault.replace(/^FILE:\d+:\d+: /, ''),
    );
  assert.deepEqual(await faultsWith('[pdf, docx]'), []);
  assert.deepEqual(await faultsWith('[docx]'), []);
  assert.deepEqual(await faultsWith('[pdf, odt]'), ['resume.downloads[1]: must be one of pdf, docx']);
});
