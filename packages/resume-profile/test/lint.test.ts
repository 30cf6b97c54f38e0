import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lint } from 'resume-profile/lint';
import { readProfileText } from 'resume-profile/profile-reader';
import { fixture, samplePath } from './documents.ts';

const sample = readFileSync(samplePath, 'utf8')
  .replace('https://lenavasquez.example.com', 'https://lena.example-site.com')
  .replace('owner@example.org', 'owner@example-site.com');
const today = new Date('2026-11-21T12:00:00Z');

/** The warnings about the sample with some of its text replaced, without their lines and columns. */
function warnedAfter(...replacements: readonly (readonly [string | RegExp, string])[]): string[] {
  const text = replacements.reduce((changed, [from, to]) => {
    assert.match(changed, from instanceof RegExp ? from : new RegExp(RegExp.escape(from)));
    return changed.replace(from, to);
  }, sample);
  const { faults, warnings } = readProfileText(text);
  assert.deepEqual(faults, []);
  return warnings((profile) => lint(profile, today)).map((line) => line.replace(/^\d+:\d+: warning: /, ''));
}

test('the sample gets warnings about its example addresses only', () => {
  assert.deepEqual(warnedAfter(), []);
  const { warnings } = readProfileText(readFileSync(samplePath, 'utf8'));
  assert.deepEqual(
    warnings((profile) => lint(profile, today)),
    [
      '10:14: warning: owner_email: example.org is an example domain that receives no mail',
      '123:12: warning: resume.links[0].url: lenavasquez.example.com is an example address that nobody can open',
    ],
  );
});

test('warnings are in the order of the text, with the line and column, although experience is sorted', () => {
  const text = readFileSync(fixture('profile.yaml'), 'utf8')
    .replace('owner@example.org', 'owner@example-site.com')
    .replace('start_date: 2012-03-01\n        end_date', 'start_date: 2012-02-01\n        end_date')
    .replace('start_date: 2018-07-01\n        accom', 'start_date: 2018-06-01\n        accom')
    .replace('live: https://linked.example.org', 'live: https://linked.dev');
  const { profile, warnings } = readProfileText(text);
  assert.deepEqual(
    profile?.experience.map(({ id }) => id),
    ['exp_now', 'exp_past'],
  );
  assert.deepEqual(
    warnings((written) => lint(written, today)),
    [
      '9:21: warning: candidate.years_experience: says 12, but the dates under experience add up to 15',
      '20:21: warning: experience[0].roles[0].start_date: 2012-02-01 is before company_start_date, 2012-03-01',
      '34:21: warning: experience[1].roles[0].start_date: 2018-06-01 is before company_start_date, 2018-07-01',
    ],
  );
});

test('check warns about a role outside the time at its company', () => {
  assert.deepEqual(
    warnedAfter(
      ['start_date: 2017-09-01\n        end_date: 2020-01-01', 'start_date: 2017-09-01\n        end_date: 2020-01-02'],
      ['start_date: 2015-06-01\n        end_date', 'start_date: 2015-05-31\n        end_date'],
      ['end_date: 2015-05-01\n        accom', 'end_date: null\n        accom'],
    ),
    [
      'experience[1].roles[0].end_date: 2020-01-02 is after company_end_date, 2020-01-01',
      'experience[1].roles[1].start_date: 2015-05-31 is before company_start_date, 2015-06-01',
      'experience[2].roles[0].end_date: still going on is after company_end_date, 2015-05-01',
    ],
  );
});

test('check warns about a gap of more than six months, unless education covers it', () => {
  const shortened = (end: string) => [
    [/company_end_date: 2015-05-01/, `company_end_date: ${end}`] as const,
    [/end_date: 2015-05-01\n {8}acc/, `end_date: ${end}\n        acc`] as const,
  ];
  assert.deepEqual(warnedAfter(...shortened('2014-11-30')), []);
  assert.deepEqual(warnedAfter(...shortened('2014-11-29')), [
    'experience[1].company_start_date: there is a gap of 6 months before it, from 2014-11-30',
  ]);
  const studies = (start: string, end: string) =>
    ['  education:\n', `  education:\n    - {institution: U, start_date: ${start}, end_date: ${end}}\n`] as const;
  assert.deepEqual(warnedAfter(...shortened('2013-12-01'), studies('2014', '2014')), []);
  assert.deepEqual(warnedAfter(...shortened('2013-12-01'), studies('2014-06', '2014-11')), []);
  assert.deepEqual(warnedAfter(...shortened('2012-12-01'), studies('2013-08', 'null')), [
    'resume.education[0].start_date: there is a gap of 8 months before it, from 2012-12-02',
  ]);
});

test('check warns about a date that is in the future everywhere on earth', () => {
  assert.deepEqual(warnedAfter(['date: 2019-03', 'date: 2026-11-22'], ['date: 2022-07', 'date: "2026"']), []);
  assert.deepEqual(warnedAfter(['date: 2019-03', 'date: 2019-03\n      end_date: 2031-03']), []);
  assert.deepEqual(warnedAfter(['date: 2019-03', 'date: 2026-11-23'], ['date: 2022-07', 'date: "2027"']), [
    'resume.certifications[0].date: 2026-11-23 is in the future',
    'resume.publications[0].date: 2027 is in the future',
  ]);
});

test('check names invisible characters and those that change the text direction, with the word before each [TRUST-9]', () => {
  assert.deepEqual(
    warnedAfter(
      ['name: Dr. Lena Vasquez', 'name: "\\u202eDr. Lena\\u200b Vasquez\\e"'],
      ['- Go\n', '- "G\\u00ado\\ufeff\\U000e0041\\u2066"\n'],
    ),
    [
      'candidate.name: has invisible characters or characters that change the text direction: U+202E at the beginning, U+200B after “Lena”, U+001B after “Vasquez”',
      'resume.skills[4]: has invisible characters or characters that change the text direction: U+00AD after “G”, U+FEFF after “Go”, U+E0041 after “Go” and 1 more',
    ],
  );
});

test('check does not warn about joiners and selectors that a script or an emoji needs', () => {
  const text = 'می\\u200cخواهم क्\\u200dष 👩\\u200d💻 👍🏽 ❤\\ufe0f naïve\\u00a0: 「日本語」 e\\u0301\\n\\tnext';
  assert.deepEqual(warnedAfter(['- Go\n', `- "${text}"\n`]), []);
});

test('check warns about a summary of more than 600 characters, unless it is an abstract', () => {
  const long = `summary: ${'é'.repeat(601)}`;
  assert.deepEqual(warnedAfter([/summary: Technical lead.*/, `summary: ${'é'.repeat(600)}`]), []);
  assert.deepEqual(
    warnedAfter([/summary: Technical lead.*/, long], [/summary: A teaching.*/, long], [/summary: Lessons.*/, long]),
    [
      'experience[0].summary: is 601 characters long; few people read more than 600',
      'projects[0].summary: is 601 characters long; few people read more than 600',
    ],
  );
});

test('check warns about a phone number without digits, in any script', () => {
  const warned = (phone: string) => warnedAfter([/phone: .*/, `phone: ${phone}`]);
  assert.deepEqual(warned('abc'), ['resume.phone: has too few digits for a phone number']);
  assert.deepEqual([warned('"112"'), warned('٠١٢٣')], [[], []]);
});

test('check warns of years of experience over two off the dates; time at two companies counts once', () => {
  const years = (number: number) => warnedAfter(['years_experience: 14', `years_experience: ${number}`]);
  assert.deepEqual(years(17), []);
  assert.deepEqual(years(18), ['candidate.years_experience: says 18, but the dates under experience add up to 15']);
  assert.deepEqual(years(13), ['candidate.years_experience: says 13, but the dates under experience add up to 15']);
  const overlapping = warnedAfter(['company_start_date: 2015-06-01', 'company_start_date: 2011-08-01']);
  assert.deepEqual(overlapping, []);
  assert.deepEqual(warnedAfter([/^experience:.*?(?=^projects:)/ms, 'experience: []\n']), []);
});

test('check warns about links that others cannot open', () => {
  const warning = (url: string) =>
    warnedAfter(['url: https://github.com/lvasquez\n', `url: ${url}\n`]).map((line) =>
      line.replace('resume.links[1].url: ', ''),
    );
  for (const [url, expected] of [
    ['http://localhost:3000/', 'localhost exists on one machine or network only'],
    ['https://wiki.lan/me', 'wiki.lan exists on one machine or network only'],
    ['https://example.org/', 'example.org is an example address that nobody can open'],
    ['https://me.example', 'me.example is an example address that nobody can open'],
    ['https://192.0.2.1/', '192.0.2.1 is an IP address; use a host name, which can move to another machine'],
    ['https://github/lvasquez', 'github has no ending such as .com'],
    ['http://github.com/', 'begins with http://, which browsers call not secure; try https://'],
  ] as const)
    assert.deepEqual(warning(url), [expected]);
  for (const url of ['https://my-example.com/', 'https://localhost.dev/', 'https://xn--mller-kva.de/'])
    assert.deepEqual(warning(url), []);
});

test('check warns of texts that nobody has written, once for all of one kind, and says what to write', () => {
  const text = readFileSync(samplePath, 'utf8')
    .replace(/^ {2}(name|title|location): .*/gm, '  $1: ""')
    .replace(/ {4}company: .*/g, '    company: ""')
    .replace(/^ {4}summary: \w.*/gm, '    summary: ""')
    .replace(/ - title: .*/g, ' - title: ""')
    .replace(/ {4}name: (raft|Bounded).*/g, '    name: ""')
    .replace(/status: .*/, 'status: "\\u200b \\u2800"');
  const { faults, warnings } = readProfileText(text);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    warnings((profile) => lint(profile, today)).filter((line) => !/example|invisible/.test(line)),
    [
      '14:9: warning: candidate.name: is empty; write the name that visitors should see',
      '15:10: warning: candidate.title: is empty; write your title, such as Staff Engineer',
      '16:13: warning: candidate.location: is empty; write your city or region',
      '31:14: warning: experience[0].company: is empty, like 2 more of its kind; write the name of the company',
      '37:16: warning: experience[0].roles[0].title: is empty, like 4 more of its kind; write the title that you had',
      '86:11: warning: projects[0].name: is empty, like 1 more of its kind; write the name of the project',
      '87:14: warning: projects[0].summary: is empty, like 1 more of its kind; say in a sentence what it is',
    ],
  );
});

test('check warns of an empty summary of a company only if no role there says what was done', () => {
  const missing = (text: string) => {
    const { faults, warnings } = readProfileText(text);
    assert.deepEqual(faults, []);
    return warnings((profile) => lint(profile, today)).filter((line) => line.includes('say in a sentence'));
  };
  const text = readFileSync(samplePath, 'utf8').replace(/^ {4}summary: \w.*/m, '    summary: ""');
  assert.deepEqual(missing(text), []);
  const bare = text.replace(/accomplishments:(\n {10}.*)+/g, 'accomplishments: []');
  assert.deepEqual(missing(bare), [
    '35:14: warning: experience[0].summary: is empty; say in a sentence what you did there',
  ]);
});

test('check warns of an entry of an own section with a date and a period, which are printed as one', () => {
  const warned = (dates: string) =>
    warnedAfter([
      'resume:\n',
      `resume:\n  sections:\n    - title: Talks\n      entries:\n        - {name: Tides, ${dates}}\n`,
    ]);
  assert.deepEqual(warned('date: 2020, start_date: 2017'), [
    'resume.sections[0].entries[0].date: is printed in one line with 2017; give the date, or the start and the end',
  ]);
  assert.deepEqual(warned('date: 2020'), []);
  assert.deepEqual(warned('start_date: 2017, end_date: 2020'), []);
});
