import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lint } from 'resume-profile/lint';
import { readProfile } from '../../../../src/adapters/profile/profile-file.ts';
import { report } from '../../../support/figures.ts';
import { fixture, newFolder } from '../../../support/files.ts';
import { eventually, startService } from '../../../support/process.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const mebibyte = 1024 * 1024;
const filled = (pattern: string) => pattern.repeat(mebibyte / pattern.length);
const linesOf = (count: number, lineOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => lineOf(index)).join('\n');

const logLine = (index: number) =>
  `2026-11-21T12:00:00.000Z INFO request ${index} GET /candidate 200 took 12 ms for agent "x": [ok] {${index}}, no fault`;
const entriesOf = (count: number, entryOf: (index: number) => string) =>
  original.replace(/^experience:.*?(?=^projects:)/ms, `experience:\n${linesOf(count, entryOf)}\n`);

/** Files of up to 1 MiB that are saved as the profile by mistake or by an attacker. */
const wrong: Record<string, () => string> = {
  '89 KB of unknown keys': () => linesOf(8_900, (index) => `key${index}: 1`),
  '230 KB of unknown keys': () => linesOf(21_000, (index) => `key${index}: 1`),
  '1 MiB of unknown keys': () => linesOf(90_000, (index) => `key${index}: 1`),
  'a log of 769 KB': () => linesOf(6_600, logLine).slice(0, 769_000),
  'a log of JSON': () => linesOf(9_000, (index) => JSON.stringify({ level: 'info', index, message: logLine(index) })),
  'a page of HTML': () => `<!doctype html>\n${filled('<div class="a">x: y</div>\n').slice(16)}`,
  '8,000 wrong entries of experience': () => entriesOf(8_000, (index) => `  - id: exp_${index}\n    company: 7`),
  '20,000 wrong entries of experience': () => entriesOf(20_000, (index) => `  - id: exp_${index}\n    company: 7`),
  '20,000 entries of experience that are empty': () => entriesOf(20_000, () => '  - {}'),
  '20,000 entries of experience that are text': () => entriesOf(20_000, () => '  - text'),
  'as many roles that are empty': () => `experience:\n  - roles:\n${'    - {}\n'.repeat(20_000)}`,
  'one key again and again': () => 'a: 1\n'.repeat(21_000),
  'list entries': () => '- a\n'.repeat(37_000),
  'tokens without a value': () => filled('a: \n'),
  'opening brackets': () => filled('['),
  'opening braces': () => filled('{'),
  'pairs of brackets': () => filled('[]'),
  'closing brackets': () => filled(']'),
  'nested lists in a line': () => filled('- '),
  'nested keys in a line': () => filled('a: '),
  'nested explicit keys': () => filled('? '),
  'nesting by ever deeper lines': () => linesOf(1_400, (index) => `${' '.repeat(index)}a:`),
  'keys that are lists': () => filled('? [a]\n: b\n'),
  'one anchor again and again': () => '- &a x\n'.repeat(18_000),
  'one alias again and again': () => `- &a x\n${'- *a\n'.repeat(29_000)}`,
  'an alias of the list it is in': () => `- &a [${'*a, '.repeat(30_000)}]`,
  'aliases without an anchor': () => '- *a\n'.repeat(29_000),
  'as many aliases as anchors': () => linesOf(9_900, (index) => `- &a${index} x\n- *a${index}`),
  'aliases that multiply': () =>
    linesOf(9, (index) => `a${index}: &a${index} [${`*a${index - 1}, `.repeat(index && 9)}x]`),
  'anchors in a line': () => filled('&a '),
  'tags in a line': () => filled('!a '),
  'tags in lines': () => '- !a x\n'.repeat(18_000),
  'one long tag': () => filled('!'),
  tabs: () => filled('\t'),
  spaces: () => filled(' '),
  'empty lines': () => filled('\n'),
  comments: () => filled('#\n'),
  directives: () => filled('%\n'),
  'empty documents': () => filled('---\n'),
  'one line': () => filled('x'),
  'one key': () => `${filled('x').slice(3)}: 1`,
  'one key in quotes': () => `"${filled('x').slice(5)}": 1`,
  'one text in many lines': () => filled('x\n'),
  'one text in quotes': () => `"${filled('x').slice(2)}"`,
  'quotes that never close': () => `"${filled('x\n').slice(1)}`,
  'wrong escapes': () => `"${filled('\\q').slice(2)}"`,
  'quotes in a row': () => filled('"'),
  'one block of text': () => `a: |\n${filled('  x\n').slice(5)}`,
  'one number': () => filled('1'),
  NUL: () => filled('\0'),
};

const folder = newFolder({ after });
const file = join(folder, 'profile.yaml');
let slowest = { name: '', milliseconds: 0 };

// CPU time, of which the least of a few runs is taken: it grows if other programs compete for the caches.
const allowedMilliseconds = 1_000;
function leastCpuOf<Result>(run: () => Result): { result: Result; milliseconds: number } {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let runs = 1; ; runs += 1) {
    const before = process.threadCpuUsage();
    const result = run();
    const { user, system } = process.threadCpuUsage(before);
    milliseconds = Math.min(milliseconds, (user + system) / 1_000);
    if (milliseconds <= allowedMilliseconds || runs === 4) return { result, milliseconds };
  }
}

for (const [name, make] of Object.entries(wrong))
  test(`a wrong profile has at most 100 reported faults, found in at most 0.5 s: ${name} [TRUST-41]`, () => {
    writeFileSync(file, make());
    const { result, milliseconds } = leastCpuOf(() => readProfile(file));
    const { profile, faults } = result;
    if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds };
    assert.equal(profile, null);
    assert.ok(faults.length <= 101 && faults.join('\n').length < 30_000, `${faults.length} faults`);
    assert.ok(milliseconds <= allowedMilliseconds, `${milliseconds} ms`);
  });

test('invisible characters in a text are found in at most 0.5 s [TRUST-41]', () => {
  writeFileSync(file, original.replace('Builds things that last.', `"Lisbon${`${'\u200b'.repeat(990)} `.repeat(50)}"`));
  const { faults, warnings } = readProfile(file);
  assert.deepEqual(faults, []);
  const { result: told, milliseconds } = leastCpuOf(() =>
    warnings((profile) => lint(profile, new Date('2026-11-21T12:00:00Z'))),
  );
  const hidden = told.find((line) => line.includes('candidate.summary: has inv'));
  assert.match(
    hidden ?? '',
    /: U\+200B after “Lisbon”, U\+200B after “Lisbon”, U\+200B after “Lisbon” and 49497 more$/,
  );
  assert.ok(milliseconds <= allowedMilliseconds, `${milliseconds} ms`);
});

test('the service answers while it reads a wrong profile, and logs only its first 100 faults [TRUST-41]', async (t) => {
  writeFileSync(file, original);
  const { url, token, lines } = await startService(t, { PROFILE: file });
  const headers = { authorization: `Bearer ${await token()}` };
  let longest = 0;
  const isStale = async () => {
    const start = performance.now();
    const response = await fetch(`${url}/candidate`, { headers });
    assert.equal(((await response.json()) as { name: string }).name, 'Tess Example');
    longest = Math.max(longest, performance.now() - start);
    return lines.some((line) => line.includes('profile not reloaded'));
  };
  writeFileSync(
    file,
    linesOf(21_000, (index) => `key${index}: 1`),
  );
  await eventually(isStale);
  report(
    'a wrong file of up to 1 MiB saved as the profile',
    `${Object.keys(wrong).length} kinds: at most ${slowest.milliseconds.toFixed(0)} ms of processor time (${slowest.name}); while one is read, the longest answer takes ${longest.toFixed(0)} ms`,
  );
  const line = lines.find((each) => each.includes('profile not reloaded'))!;
  assert.equal((JSON.parse(line) as { faults: string[] }).faults.length, 101);
});
