import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { suites } from './mutation-suites.ts';

// Changes the code in one place at a time and prints the changes with which no test fails; with names, only in these files.

const goal = 90;

const names = process.argv.slice(2);
const isNamed = (file: string) => names.length === 0 || names.some((name) => file.includes(name));
const files = suites.flatMap((suite) => suite.files).filter(isNamed);
if (files.length === 0) {
  console.error(`No file of operations, surfaces, adapters or formats has a name with ${names.join(' or ')}`);
  process.exit(2);
}

const linesOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8').split('\n')]));

// The tests of each mutant run in a new process, which spends most of its time loading modules.
process.env.NODE_COMPILE_CACHE = resolve('out/compile-cache');

const runs = [];
for (const { files: all, tests } of suites) {
  const mutate = all.filter(isNamed);
  if (mutate.length === 0) continue;
  const stryker = new Stryker({
    mutate,
    testRunner: 'tap',
    tap: { testFiles: tests, nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'] },
    plugins: ['@stryker-mutator/tap-runner'],
    coverageAnalysis: 'perTest',
    // Tests that wait for something could time out while others run.
    concurrency: 1,
    timeoutMS: 15_000,
    // Stryker rewrites this file with the API of TypeScript 5, unless it does not exist.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    incremental: names.length > 0,
    incrementalFile: `out/mutation-results/${all[0]!.replaceAll('/', '-')}.json`,
    tempDirName: 'out/mutation',
    cleanTempDir: 'always',
    ignorePatterns: ['out', 'dist', 'data'],
    reporters: ['progress-append-only'],
  });
  runs.push(...(await stryker.runMutationTest()));
}
// Stryker also returns mutants of other files from earlier runs.
const mutants = runs
  .map((mutant) => ({ ...mutant, file: mutant.fileName.slice(mutant.fileName.lastIndexOf('src/')) }))
  .filter(({ file }) => files.includes(file));

type Mutant = (typeof mutants)[number];

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The code before and after a mutation, each on one line. */
function diffOf({ file, location: { start, end }, replacement }: Mutant): string {
  const lines = linesOf.get(file)!;
  const before = lines.slice(start.line - 1, end.line).join('\n');
  const head = lines[start.line - 1]!.slice(0, start.column - 1);
  const tail = lines[end.line - 1]!.slice(end.column - 1);
  return `- ${inOneLine(before)}\n+ ${inOneLine(head + replacement + tail)}`;
}

const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');

/** How many mutants the tests kill. */
function scoreOf(isIn: (file: string) => boolean) {
  const missed = survivors.filter(({ file }) => isIn(file)).length;
  const noticed = mutants.filter(
    ({ status, file }) => (status === 'Killed' || status === 'Timeout') && isIn(file),
  ).length;
  const all = missed + noticed;
  return { noticed, all, percent: all === 0 ? 100 : (100 * noticed) / all };
}

const printScore = (name: string, { noticed, all, percent }: ReturnType<typeof scoreOf>) =>
  console.log(`${percent.toFixed(1).padStart(5)} %  ${`${noticed} of ${all}`.padEnd(14)}${name}`);

for (const mutant of survivors) {
  const { file, location, status } = mutant;
  console.log(
    `\n${file}:${location.start.line}${status === 'NoCoverage' ? ' (no test runs it)' : ''}\n${diffOf(mutant)}`,
  );
}
console.log();
for (const file of files)
  printScore(
    file,
    scoreOf((other) => other === file),
  );
const total = scoreOf(() => true);
printScore('in all', total);

if (names.length === 0 && total.percent < goal) process.exitCode = 1;
