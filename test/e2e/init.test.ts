import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { toJsonResume } from 'resume-profile/json-resume';
import { readProfileText } from 'resume-profile/profile-reader';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import { ask } from '../../src/commands/init.ts';
import { questions, toAnsweredProfile } from '../../src/model/profile/answers.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { toCommandLine } from '../../src/service/program-name.ts';
import { makeFolder, newFolder, resumeFile } from '../support/files.ts';
import { programName, runCommand } from '../support/process.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const sample = readProfile(samplePath).profile!;

/** Asks the questions of `init` of somebody who types these lines; returns the answers and the dialogue. */
async function dialogue(lines: readonly string[], isClosed = false) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const shown = text(output);
  for (const line of lines) input.write(`${line}\n`);
  const asked = ask(questions, {}, { input, output }).finally(() => output.end());
  if (isClosed) input.end();
  const [{ value, reason }] = (await Promise.allSettled([asked])) as [{ value?: unknown; reason?: Error }];
  return { answers: value, reason: reason?.message, shown: await shown };
}

test('each question is asked until its answer is valid; an empty line takes the default or leaves it out', async () => {
  const typed = ['Ada Lovelace', '', ' Analyst ', 'ada', 'ada@Example.org', 'London', 'ten', '101', '10'];
  const optional = ['', 'Engines', '', 'lately', '2021-03', 'Analysis, Punched cards', '', 'perhaps', '', 'no'];
  const { answers, shown } = await dialogue([...typed, ...optional]);
  assert.deepEqual(answers, {
    name: 'Ada Lovelace',
    title: 'Analyst',
    email: 'ada@Example.org',
    location: 'London',
    years: '10',
    summary: '',
    company: 'Engines',
    role: 'Analyst',
    since: '2021-03',
    skills: 'Analysis, Punched cards',
    status: '',
    background: 'yes',
    public: 'no',
  });
  const background =
    'Whether the programs of visitors with access can also read your education, certifications, languages and the like';
  assert.equal(
    shown,
    [
      'Your name: ',
      'Your title, such as Staff Engineer:   This is required.\n',
      'Your title, such as Staff Engineer: ',
      'Your e-mail address, for notices to you; shown to nobody:   This must be a valid email address.\n',
      'Your e-mail address, for notices to you; shown to nobody: ',
      'Your city or region: ',
      'Years of professional experience (optional):   This must be a whole number.\n',
      'Years of professional experience (optional):   This must be at most 100.\n',
      'Years of professional experience (optional): ',
      'Yourself in two or three sentences (optional): ',
      'The company or organization where you work now (optional): ',
      'Your title there [Analyst]: ',
      'Since when, such as 2021-03:   This must be a date: YYYY-MM-DD, YYYY-MM or YYYY.\n',
      'Since when, such as 2021-03: ',
      'Three skills, with commas between them (optional): ',
      'Whether you can be approached, such as “open to opportunities” (optional): ',
      `${background} [yes]:   This must be yes or no.\n`,
      `${background} [yes]: `,
      'Whether anybody can see your place, availability, first sentence, and how many jobs and projects there are; otherwise name and title alone [yes]: ',
    ].join(''),
  );
});

test('without a company now, nothing else of a job is asked', async () => {
  const { answers, shown } = await dialogue(['Ada', 'Analyst', 'a@ada.org', 'London', '9', '', '', 'Go', '', 'no', '']);
  assert.doesNotMatch(shown, /Your title there|Since when/);
  const { experience, resume, background, availability } = toAnsweredProfile(answers as Record<string, string>);
  assert.deepEqual([experience, resume.skills, background, availability.status], [[], ['Go'], undefined, '']);
});

const flags = ['--name', 'Zoë', '--title', 'Dev', '--email', 'zoe@example.org', '--location', 'Malmö', '--years', '3'];
const allFlags = [...flags, '--summary', 'Builds: things # well', '--status', 'open'];

/** Runs `init`, and returns what it prints; throws what it says if it fails. */
async function run(t: TestContext, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, ...printed } = await runCommand(t, ['init', ...words]);
  if (code !== 0) throw new Error(printed.stderr.trimEnd());
  return printed;
}

test('init writes a valid document, and prints the next commands', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  assert.deepEqual(await run(t, ...allFlags, '--out', path), {
    stdout: '',
    stderr: `${path} is written. What comes next:\n  ${toCommandLine('check', path)}\n  ${toCommandLine('serve', '--profile', path)}\n`,
  });
  assert.deepEqual(readProfile(path).faults, []);
  assert.deepEqual(readProfile(path).profile, {
    owner_email: 'zoe@example.org',
    candidate: {
      id: 'cand_zoe',
      name: 'Zoë',
      title: 'Dev',
      location: 'Malmö',
      summary: 'Builds: things # well',
      years_experience: 3,
      domains: [],
    },
    experience: [],
    projects: [],
    availability: { status: 'open' },
    resume: { skills: [] },
    background: true,
    evidence: true,
    public: ['name', 'title', 'location', 'summary', 'availability', 'counts'],
  });
  assert.match(
    readFileSync(path, 'utf8'),
    /^# yaml-language-server: \$schema=.+profile\.schema\.json\n#\n# Your profile\. /,
  );
});

test('init --from imports a resume: options override it, and the loss report is printed', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  const from = resumeFile('jsonresume-senior-engineer.json');
  const { stderr } = await run(t, '--from', from, ...allFlags, '--out', path);
  assert.match(stderr, /^Read as JSON Resume; .*\n(.*\n)+Kept: .*\n\n.* is written\. What comes next:\n/);
  const { profile, faults } = readProfile(path);
  assert.deepEqual(faults, []);
  assert.equal(profile?.owner_email, 'zoe@example.org');
  assert.deepEqual([profile?.candidate.name, profile?.candidate.id], ['Zoë', 'cand_zoe']);
  assert.deepEqual(
    profile?.experience.map(({ id }) => id),
    ['exp_confluent', 'exp_dropbox', 'exp_rackspace'],
  );

  const { stdout } = await run(t, '--from', from, ...allFlags, '--out', path, '--force', '--json');
  const { file, format, ...report } = JSON.parse(stdout);
  assert.deepEqual([file, format], [path, 'JSON Resume']);
  assert.deepEqual(Object.keys(report), ['carriedOver', 'changed', 'notCarriedOver', 'filledIn', 'sections']);
});

test('the current job, skills and the background can be given as options', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  const job = ['--company', 'Öresund AB', '--role', 'Lead', '--since', '2021-03'];
  await run(t, ...allFlags, ...job, '--skills', 'Go, SQL,Rust', '--background', '--out', path);
  const { profile, faults } = readProfile(path);
  assert.deepEqual(faults, []);
  assert.deepEqual(profile?.experience, [
    {
      id: 'exp_oresund_ab',
      company: 'Öresund AB',
      company_start_date: '2021-03',
      company_end_date: null,
      current: true,
      summary: '',
      roles: [{ title: 'Lead', start_date: '2021-03', end_date: null, accomplishments: [] }],
    },
  ]);
  assert.deepEqual([profile?.resume.skills, profile?.background], [['Go', 'SQL', 'Rust'], true]);
  assert.deepEqual(profile?.public, ['name', 'title', 'location', 'summary', 'availability', 'counts']);
});

test('who does not want it shows strangers name and title alone, and programs no background', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  await run(t, ...allFlags, '--no-background', '--no-public', '--out', path);
  const { profile } = readProfile(path);
  assert.deepEqual([profile?.public, profile?.background], [['name', 'title'], undefined]);
});

test('init --from leaves empty what neither the resume nor an option says, and the report names only that', async (t) => {
  const folder = makeFolder();
  const [from, path] = [join(folder, 'resume.json'), join(folder, 'mine.yaml')];
  writeFileSync(from, '{"basics": {"name": "Dr. Ada King"}, "skills": [{"name": "Go"}]}');
  const { stderr } = await run(t, '--from', from, '--email', 'ada@ada.org', '--location', 'London', '--out', path);
  const { profile } = readProfile(path);
  assert.deepEqual([profile?.candidate.id, profile?.candidate.title, profile?.background], ['cand_ada_king', '', true]);
  assert.match(stderr, /line \d+: candidate.title\n/);
  assert.doesNotMatch(stderr, /owner_email|candidate.location/);
  assert.match(stderr, /\nKept: 1 skill\.\n\n.* is written\./);
});

test('init --from refuses a resume of which too much is lost, unless told to accept that', async (t) => {
  const folder = makeFolder();
  const [from, path] = [join(folder, 'resume.json'), join(folder, 'mine.yaml')];
  writeFileSync(from, '{"basics": {"name": "Ada"}, "certificates": [{"issuer": "A"}, {"issuer": "B"}]}');
  await assert.rejects(
    run(t, '--from', from, '--out', path),
    /only 1 of its 3 values have a place in a profile, 33 %\. Nothing is written/,
  );
  assert.equal(existsSync(path), false);
  await run(t, '--from', from, '--accept-losses', '--out', path);
  assert.equal(readProfile(path).profile?.candidate.name, 'Ada');
});

test('on a terminal init --from asks first for what the resume lacks, and reports afterwards', {
  skip: noTerminal,
}, async (t) => {
  const folder = makeFolder();
  writeFileSync(
    join(folder, 'resume.json'),
    '{"basics": {"label": "Manager"}, "work": [{"name": "Mill", "startDate": "2019"}]}',
  );
  const typed = ['Jane Roe', 'jane@roe.example', 'Paris', '', '', 'Go, SQL', '', 'yes', 'no', ''];
  const { code, shown } = await runOnTerminal(t, ['init', '--from', 'resume.json'], {
    folder,
    prompt: 'Your name: ',
    answer: typed.join('\n'),
  });
  assert.equal(code, 0, shown);
  assert.match(shown, /Your name: .*Years of professional experience \(optional\): .*\[yes\]: .*Read as JSON Resume/s);
  assert.doesNotMatch(shown, /Your title|where you work now|not stated/i);
  const { profile, faults } = readProfile(join(folder, 'profile.yaml'));
  assert.deepEqual(faults, []);
  assert.deepEqual(
    [profile?.candidate.id, profile?.candidate.name, profile?.candidate.title, profile?.candidate.summary],
    ['cand_jane_roe', 'Jane Roe', 'Manager', ''],
  );
  assert.deepEqual([profile?.owner_email, profile?.background], ['jane@roe.example', true]);
});

test('an id of our own export is kept, whatever name the options give', async (t) => {
  const folder = makeFolder();
  const [from, path] = [join(folder, 'resume.json'), join(folder, 'profile.yaml')];
  const ours = { ...sample, candidate: { ...sample.candidate, id: 'cand_own' } };
  writeFileSync(from, JSON.stringify(toJsonResume(ours, '1.0.0')));
  await run(t, '--from', from, '--name', 'Zoë Doe', '--email', 'zoe@zoe.org', '--out', path);
  const { candidate } = readProfile(path).profile!;
  assert.deepEqual([candidate.id, candidate.name], ['cand_own', 'Zoë Doe']);
});

test('init never overwrites a file without --force, and refuses before it asks anything', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  writeFileSync(path, 'precious');
  await assert.rejects(run(t, '--out', path), { message: `${path}: exists already; --force replaces it` });
  assert.equal(readFileSync(path, 'utf8'), 'precious');
  await run(t, ...allFlags, '--out', path, '--force');
  assert.equal(readProfile(path).profile?.candidate.name, 'Zoë');
});

test('an invalid option is wrong usage, named in one line', async (t) => {
  const path = join(makeFolder(), 'mine.yaml');
  for (const [wrong, message] of [
    [['--years', '1e1'], 'candidate-profile: --years must be a whole number'],
    [['--email', 'zoe'], 'candidate-profile: --email must be a valid email address'],
    [['--name', '  '], 'candidate-profile: --name must not be empty'],
    [['--name', 'Ada '.repeat(76)], 'candidate-profile: --name has 303 characters; at most 300 are allowed'],
    [['--role', 'Lead'], 'candidate-profile: --role needs --company'],
    [['--company', 'Acme'], 'candidate-profile: init can only ask on a terminal; without one it needs --since'],
  ] as const)
    await assert.rejects(run(t, ...allFlags, ...wrong, '--out', path), { message });
  assert.equal(existsSync(path), false);
});

test('without a terminal init asks nothing: it names the options it needs, and leaves out the rest', async (t) => {
  const [few, enough] = [newFolder(t), newFolder(t)];
  assert.deepEqual(await runCommand(t, ['init', '--name', 'Zoë', '--years', '3'], {}, few), {
    code: 2,
    stdout: '',
    stderr: 'candidate-profile: init can only ask on a terminal; without one it needs --title, --email, --location\n',
  });
  assert.deepEqual(await runCommand(t, ['init', ...flags], {}, enough), {
    code: 0,
    stdout: '',
    stderr: `profile.yaml is written. What comes next:\n  ${programName} check profile.yaml\n  ${programName} serve\n`,
  });
  assert.deepEqual(readdirSync(few), []);
  const { profile } = readProfile(join(enough, 'profile.yaml'));
  assert.deepEqual([profile?.candidate.summary, profile?.availability.status], ['', '']);
});

test('a written document reads back as the same profile, whatever characters its texts contain', () => {
  const long = 'word '.repeat(25).trim();
  const texts = [
    ...'yes 2006 ~ " \' *a &a % @ | > ---'.split(' '),
    ...['- item', 'a: b', 'a # b', 'line\nline', ' edge ', 'a\tb'],
    'one\n\n \n  two',
    long,
    ` ${long}`,
    `\u001bone\n\n \n  two ${long}`,
    `${long}\n\n  and more`,
    '\u0085\u2028\ufeff\u001b',
  ];
  for (const text of texts) {
    const profile = { ...sample, candidate: { ...sample.candidate, summary: text }, resume: { skills: [text, text] } };
    const reading = readProfileText(toProfileYaml(profile));
    assert.deepEqual([reading.faults, reading.profile], [[], profile]);
  }
  assert.deepEqual(readProfileText(toProfileYaml(sample)).profile, sample);
});

test('the examples in the comments of a new document are valid', () => {
  const profile = toAnsweredProfile({
    name: 'A',
    title: 'B',
    email: 'a@b.org',
    location: 'C',
    years: '1',
    summary: 'D',
    status: 'E',
  });
  const document = toProfileYaml(profile, { schema: '../profile.schema.json' });
  assert.match(document, /^# yaml-language-server: \$schema=\.\.\/profile\.schema\.json\n/);
  // The examples, taken out of their comments, are valid themselves.
  const withExamples = document
    .replaceAll(/^# {3}/gm, '  ')
    .replace(/^experience: \[\]\n/m, '')
    .replace(/^projects: \[\]\n/m, '')
    .replace(/^(?=# One entry a company)/m, 'experience:\n')
    .replace(/^(?=# Shown in this order)/m, 'projects:\n');
  const { profile: grown, faults } = readProfileText(withExamples);
  assert.deepEqual(faults, []);
  assert.deepEqual([grown?.experience[0]?.company, grown?.projects[0]?.name], ['Example Ltd', 'Example']);
});
