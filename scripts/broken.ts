import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOf } from './test.ts';

// Measures how many faults the tests find: each break of breaks.txt is put into a copy of the checkout, where the test files
// that execute its line run, the most specific first, until one fails. The patterns name test files; default: those of `npm test`.
//
//   node scripts/broken.ts coverage [pattern…]   notes which test files execute which breaks, and their CPU time
//   node scripts/broken.ts run [pattern…]        prints the test file that finds each break
//   node scripts/broken.ts check                 says whether the sources type-check with all breaks in them
//
// `--coverage FILE` keeps the coverage, to which `coverage` adds; `--only 3,17` chooses breaks; `--jobs 2` runs two at a time.

const root = fileURLToPath(new URL('..', import.meta.url));
const hangsAfterMs = 10 * 60_000;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    coverage: { type: 'string', default: join(root, 'node_modules/.cache/broken.json') },
    jobs: { type: 'string', default: '1' },
    only: { type: 'string' },
    tests: { type: 'string', multiple: true, default: [] },
  },
});
const [command, ...others] = positionals;
const patterns = [...options.tests, ...others];

type Break = ReturnType<typeof findBreaks>[number];

const running = new Set<ChildProcess>();
const temporary = mkdtempSync(join(tmpdir(), 'broken-'));
process.once('exit', () => {
  running.forEach(endGroup);
  rmSync(temporary, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** What each test file did in the run of coverage; `breaks` are the texts of those that it executes. */
const coverage: Record<string, { cpuSeconds: number; isPassing: boolean; breaks: string[] }> = {};
for (const known of globSync(options.coverage)) Object.assign(coverage, JSON.parse(readFileSync(known, 'utf8')));
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
const breaks = findBreaks();
const chosen = breaks.filter(({ number }) => options.only?.split(',').includes(number) ?? true);
if (command === 'coverage') await measureCoverage();
else if (command === 'run') await runTests();
else if (command === 'check') checkTypes();
else throw new Error('Usage: node scripts/broken.ts coverage|run|check [pattern…]');

/** Finds the breaks in the sources; one that is not there any more has no path. Throws if one occurs twice. */
function findBreaks() {
  const paths = tracked.filter((path) => /^(src|packages)\/.*(?<!\.test)\.ts$/.test(path));
  const sources = paths.map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
  const listed = readFileSync(join(root, 'scripts/breaks.txt'), 'utf8').matchAll(/^- (.+)\n\+ ?(.*)$/gm);
  return Array.from(listed, ([, text = '', broken = ''], index) => {
    const pattern = new RegExp(text.split(/\s+/).map(RegExp.escape).join('\\s+'), 'g');
    const [place, ...more] = sources.flatMap(({ path, source }) =>
      Array.from(source.matchAll(pattern), ({ 0: { length }, index }) => ({ path, start: index, end: index + length })),
    );
    if (more.length > 0) throw new Error(`This occurs more than once: ${text}`);
    const { path, start, end } = place ?? { path: '', start: 0, end: 0 };
    return { number: `${index + 1}`, text, broken, path, url: pathToFileURL(join(root, path)).href, start, end };
  });
}

/** Returns the test files that the patterns name. */
function testFiles(): string[] {
  const files = patterns.length > 0 ? globSync(patterns, { cwd: root }) : filesOf('test');
  if (files.length === 0) throw new Error('No test files: name them by patterns');
  return files.sort();
}

async function measureCoverage(): Promise<void> {
  mkdirSync(dirname(options.coverage), { recursive: true });
  const folder = join(temporary, 'coverage');
  for (const file of testFiles()) {
    const { passes, cpuSeconds } = await runTest(file, root, { NODE_V8_COVERAGE: folder });
    // Again if it fails: a test may look at its environment.
    const isPassing = passes || (await runTest(file, root)).passes;
    coverage[file] = { cpuSeconds, isPassing, breaks: executedIn(folder) };
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(options.coverage, JSON.stringify(coverage, null, 1));
    const outcome = isPassing ? `${coverage[file].breaks.length} breaks` : 'fails without a break';
    console.log(`${file}: ${outcome}, ${cpuSeconds.toFixed(1)} CPU-s`);
  }
}

/** Returns the texts of the breaks that processes executed which wrote their coverage to a folder. */
function executedIn(folder: string): string[] {
  const scripts = globSync('*.json', { cwd: folder }).flatMap((name): Profiler.ScriptCoverage[] => {
    try {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: Profiler.ScriptCoverage[] };
      return result.filter(({ url }) => breaks.some((one) => one.url === url));
    } catch {
      return []; // Its process was killed while it wrote.
    }
  });
  const isExecuted = (one: Break) =>
    scripts.some(({ url, functions }) => {
      const ranges = url === one.url ? functions.flatMap(({ ranges }) => ranges) : [];
      const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= one.start && one.start < endOffset);
      // They are nested: the innermost, which begins last, has the count.
      const innermost = around.sort((range, other) => range.startOffset - other.startOffset).at(-1);
      return innermost !== undefined && innermost.count > 0;
    });
  return breaks.filter(isExecuted).map(({ text }) => text);
}

async function runTests(): Promise<void> {
  const files = testFiles();
  const unknown = files.filter((file) => coverage[file] === undefined);
  if (unknown.length > 0) throw new Error(`First run the coverage of ${unknown.join(' ')}`);
  for (const file of files) if (!coverage[file]!.isPassing) console.log(`${file} fails without a break: left out`);
  const passing = files.filter((file) => coverage[file]!.isPassing);
  // First those that execute few of the breaks: they are about less, and check more of it.
  const costOf = (file: string) => coverage[file]!.breaks.length * (1 + coverage[file]!.cpuSeconds);
  passing.sort((file, other) => costOf(file) - costOf(other));
  let found = 0;
  // All jobs take from it.
  const waiting = chosen.values();
  const job = async (copy: string) => {
    for (const one of waiting) {
      const executing = passing.filter((file) => coverage[file]!.breaks.includes(one.text));
      const finder = await finderOf(one, executing, copy);
      writeSource(one.path, [], copy);
      if (finder !== undefined) found += 1;
      const outcome = finder === undefined ? `not found by ${executing.length} test files` : `found by ${finder}`;
      console.log(`${one.number} ${one.path || '(not there any more)'}: ${outcome}: ${one.text}`);
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, (_, index) => job(copyCheckout(`${index}`))));
  console.log(`${found} of ${chosen.length} found`);
}

/** Returns the first test file that fails with a break, passes without it and fails again, so not because of the machine. */
async function finderOf(one: Break, files: readonly string[], copy: string): Promise<string | undefined> {
  const passes = async (put: readonly Break[], file: string) => {
    writeSource(one.path, put, copy);
    return (await runTest(file, copy, { NODE_COMPILE_CACHE: join(copy, 'out/compile-cache') })).passes;
  };
  for (const file of files)
    if (!(await passes([one], file)) && (await passes([], file)) && !(await passes([one], file))) return file;
  return undefined;
}

function checkTypes(): void {
  const copy = copyCheckout('check');
  for (const { path } of chosen) writeSource(path, chosen, copy);
  process.exitCode = spawnSync('node_modules/.bin/tsc', { cwd: copy, stdio: 'inherit' }).status ?? 1;
  if (process.exitCode === 0) console.log(`The sources type-check with ${chosen.length} breaks`);
}

/** Writes a source to a copy of the checkout, with the breaks that are in it. */
function writeSource(path: string, put: readonly Break[], copy: string): void {
  if (path === '') return;
  let source = readFileSync(join(root, path), 'utf8');
  const inIt = put.filter((one) => one.path === path).sort((one, other) => other.start - one.start);
  for (const { start, end, broken } of inIt) source = source.slice(0, start) + broken + source.slice(end);
  writeFileSync(join(copy, path), source);
}

function copyCheckout(name: string): string {
  const copy = join(temporary, name);
  for (const path of tracked) cpSync(join(root, path), join(copy, path));
  // Its own packages, because those of the checkout have no break.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isOwn = existsSync(join(root, 'packages', name));
    symlinkSync(
      isOwn ? join(copy, 'packages', name) : join(root, 'node_modules', name),
      join(copy, 'node_modules', name),
    );
  }
  return copy;
}

/** Runs a test file in a process of its own. Without TEST_PROGRAM, the programs that it starts run the sources. */
async function runTest(file: string, cwd: string, extra: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, TEST_PROGRAM: undefined, NODE_COMPILE_CACHE: undefined, ...extra };
  // `times` prints the CPU time of the shell, then of the processes that it started.
  const args = ['-c', '"$@" >/dev/null 2>&1; code=$?; times; exit $code', 'sh', process.execPath, file];
  const child = spawn('sh', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  running.add(child);
  const timer = setTimeout(endGroup, hangsAfterMs, child);
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  clearTimeout(timer);
  endGroup(child);
  running.delete(child);
  const times = [...printed.matchAll(/(\d+)m([\d.]+)s/g)].slice(2);
  const cpuSeconds = times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
  return { passes: code === 0, cpuSeconds };
}

/** Ends a test file, and what it started and left. */
function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {}
}
