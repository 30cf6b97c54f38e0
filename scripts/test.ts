import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { root } from './bundle/code.ts';

// Runs tests: `node scripts/test.ts full contract` those files of `npm run test:full` that have `contract` in their names. A few
// processes take one file after the other, because to start one for each would take longer than most files.

/** Which files belong to a run: their folder says it. */
const runs = {
  test: (file: string) => !/^test\/(full|release)\//.test(file),
  full: (file: string) => file.startsWith('test/full/'),
  // Also files that have a long form, in it.
  release: (file: string) => file.startsWith('test/release/') || textOf(file).includes('/figures.ts'),
};
type Run = keyof typeof runs;

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the files of a run, as paths from the root. */
export const filesOf = (run: Run): string[] =>
  globSync('{test,packages}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }).filter(runs[run]);

/** Whether a file needs a process of its own: it says so, or runs other tests again in other circumstances. */
const isApart = (file: string) =>
  /\bimport\b.*\.test\.ts'|\/support\/(on|without)-|^\/\/ In a process of its own/m.test(textOf(file));

/** The programs that a release needs, each with its Debian package. */
const programs = {
  bwrap: 'bubblewrap',
  caddy: 'caddy',
  'firefox-esr': 'firefox-esr',
  'fiu-run': 'fiu-utils',
  haproxy: 'haproxy',
  nginx: 'nginx',
  soffice: 'libreoffice-writer-nogui',
  strace: 'strace',
  'systemd-analyze': 'systemd',
};

/** The page with a table of what the long forms measured. */
const figuresPage = 'docs/evidence/trust.md';

/** What a process reports of a file. */
interface Outcome {
  readonly printed: string;
  /** What is printed once more in the end. */
  readonly failures: string;
  readonly counts: Readonly<Record<string, number>>;
  /** With the processes that it started. */
  readonly cpuSeconds: number;
  /** Whether the process can run another file. */
  readonly isReusable: boolean;
}

/** A process that reports and prints nothing for so long hangs. */
const hangsAfterMs = 15 * 60_000;
const maxResidentBytes = 1.5e9;
const manyCpuSeconds = 60;

if (process.argv[1] === import.meta.filename) {
  if (process.send === undefined) await runAll(process.argv[2] as Run, process.argv.slice(3));
  else waitForFiles();
}

async function runAll(run: Run, parts: readonly string[]): Promise<void> {
  process.chdir(root);
  const files = filesOf(run).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (files.length === 0) throw new Error(`No file of this run has ${parts.join(' or ')} in its name`);
  const missing = Object.entries(programs).filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (run === 'release' && parts.length === 0 && missing.length > 0)
    throw new Error(`A release needs more programs: apt-get install ${missing.map(([, name]) => name).join(' ')}`);
  const cache = resolve('node_modules/.cache/tests');
  const temporary = mkdtempSync(join(tmpdir(), 'tests-'));
  const figures = join(temporary, 'figures.jsonl');
  rmSync('out/src', { recursive: true, force: true });
  // The program as it is published, which starts faster.
  const { writeProgram } = await import('./bundle/program.ts');
  await writeProgram('out');
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    NODE_COMPILE_CACHE: cache,
    TEST_PROGRAM: resolve('out/src/main.cjs'),
    ...(run === 'release' && { FULL_RUN: 'true', FIGURES: figures }),
  };
  const started = new Set<ChildProcess>();
  process.once('exit', () => {
    started.forEach(endGroup);
    rmSync(temporary, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const start = () => {
    const worker = fork(import.meta.filename, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    started.add(worker);
    return worker;
  };
  const end = async (worker: ChildProcess) => {
    if (worker.connected) worker.disconnect();
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    endGroup(worker);
    started.delete(worker);
  };

  // What took longest comes first: none of it is to run by itself in the end.
  mkdirSync(cache, { recursive: true });
  const timesFile = join(cache, 'times.json');
  const times: Record<string, { seconds: number; cpuSeconds: number }> = existsSync(timesFile)
    ? JSON.parse(readFileSync(timesFile, 'utf8'))
    : {};
  const secondsOf = (file: string) => times[file]?.seconds ?? 0;
  const waiting = files.sort((one, other) => secondsOf(other) - secondsOf(one)).values();
  const outcomes = new Map<string, Outcome>();
  const work = async () => {
    let shared: ChildProcess | undefined;
    for (const file of waiting) {
      const worker = isApart(file) || shared?.connected !== true ? start() : shared;
      const startedAt = performance.now();
      const outcome = await runIn(worker, file);
      times[file] = { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: outcome.cpuSeconds };
      outcomes.set(file, outcome);
      console.log(`${file}\n${outcome.printed}`);
      if (isApart(file)) await end(worker);
      else if (outcome.isReusable) shared = worker;
      else {
        await end(worker);
        shared = undefined;
      }
    }
    if (shared !== undefined) await end(shared);
  };
  // One more than a machine has processors, because many tests wait; one for a release, which measures.
  await Promise.all(Array.from({ length: run === 'release' ? 1 : availableParallelism() + 1 }, work));
  writeFileSync(timesFile, JSON.stringify(times));
  printSummary(outcomes);
  if (existsSync(figures)) writeFigures(readFileSync(figures, 'utf8'));
}

/** Has a process run a file. If the process ends or hangs, the file has failed. */
async function runIn(worker: ChildProcess, file: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let output = '';
  const timer = setTimeout(() => endGroup(worker), hangsAfterMs);
  const collect = (chunk: Buffer) => {
    output += chunk;
    timer.refresh();
  };
  for (const stream of [worker.stdout!, worker.stderr!]) stream.on('data', collect);
  const take = (message: Outcome | 'alive') => (message === 'alive' ? timer.refresh() : resolve(message));
  const fail = (code: number | null, signal: string | null) => {
    const failures = `\n✖ ${file}: its process ended (${signal ?? code})\n${output}`;
    resolve({ printed: failures, failures, counts: { tests: 1, failed: 1 }, cpuSeconds: 0, isReusable: false });
  };
  worker.on('message', take).once('close', fail);
  worker.send(file);
  const outcome = await promise;
  clearTimeout(timer);
  worker.off('message', take).off('close', fail);
  for (const stream of [worker.stdout!, worker.stderr!]) stream.off('data', collect).resume();
  return outcome.counts.failed === 0 ? outcome : { ...outcome, printed: output + outcome.printed };
}

/** Ends a process with all that it started and left. */
function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {}
}

/** Prints what failed, what took most time of the processors, and the counts as node:test does. */
function printSummary(outcomes: ReadonlyMap<string, Outcome>): void {
  for (const { failures } of outcomes.values()) if (failures !== '') console.log(failures);
  const byTime = [...outcomes].sort(([, one], [, other]) => other.cpuSeconds - one.cpuSeconds);
  console.log(`\nThe slowest of ${outcomes.size} files, ${cpuSeconds().toFixed(0)} CPU-s in all:`);
  for (const [file, { cpuSeconds }] of byTime.slice(0, 10))
    console.log(`${cpuSeconds.toFixed(1).padStart(7)} s  ${file}`);
  for (const [file, { cpuSeconds }] of byTime)
    if (cpuSeconds > manyCpuSeconds) console.log(`warning: ${file} takes more than ${manyCpuSeconds} CPU-s`);
  const sum = (...names: string[]) =>
    [...outcomes.values()].reduce((sum, { counts }) => names.reduce((sum, name) => sum + (counts[name] ?? 0), sum), 0);
  console.log(`ℹ tests ${sum('tests')}`);
  console.log(`ℹ skipped ${sum('skipped')}`);
  console.log(`ℹ pass ${sum('passed')}`);
  console.log(`ℹ fail ${sum('failed', 'cancelled')}`);
  process.exitCode = sum('failed', 'cancelled') > 0 ? 1 : 0;
}

/** Prints what tests measured, and puts it into the tables that have a row for it if every test has passed. */
function writeFigures(lines: string): void {
  const measured = new Map<string, string>();
  for (const line of lines.trim().split('\n')) {
    const { test, figure } = JSON.parse(line) as { test: string; figure: string };
    measured.set(test, figure);
    console.log(`${test}: ${figure}`);
  }
  if (process.exitCode === 1) return;
  const toRow = (row: string, test: string) => (measured.has(test) ? `| ${test} | ${measured.get(test)} |` : row);
  writeFileSync(figuresPage, readFileSync(figuresPage, 'utf8').replaceAll(/^\| (.+?) \| .+ \|$/gm, toRow));
}

/** Runs the files that the parent process sends, until it disconnects. */
function waitForFiles(): void {
  process.once('disconnect', () => process.exit());
  process.on('message', async (file: string) => {
    // A run ends when nothing else keeps this process alive.
    process.channel!.unref();
    const outcome = await runFile(file);
    process.channel!.ref();
    process.send!(outcome);
  });
}

async function runFile(file: string): Promise<Outcome> {
  const before = cpuSeconds();
  const reporter = new spec();
  const events = run({ files: [file], cwd: root, isolation: 'none' });
  let counts: Record<string, number> = {};
  let printed = '';
  events.on('test:summary', (summary) => {
    counts = { ...summary.counts };
  });
  for await (const event of events) {
    process.send!('alive');
    if (
      event.type === 'test:diagnostic' &&
      /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(event.data.message)
    )
      continue;
    reporter.write(event);
    printed += reporter.read() ?? '';
  }
  reporter.end();
  let failures = await text(reporter);
  // An error after the first test of a file is lost, but not to who imports the file again.
  const loaded = await import(pathToFileURL(resolve(file)).href).then(
    () => null,
    (error: unknown) => error as Error,
  );
  if (loaded !== null && !(counts.failed! > 0)) {
    failures += `\n✖ ${file}: cannot be loaded\n${loaded.stack}`;
    counts = { ...counts, tests: (counts.tests ?? 0) + 1, failed: 1 };
  }
  const isReusable = loaded === null && process.memoryUsage.rss() < maxResidentBytes;
  return { printed, failures, counts, cpuSeconds: cpuSeconds() - before, isReusable };
}

/** Returns the time of the processors that this process has used, on Linux with that of the processes that it started. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : '';
  // The third field is the first after the name, which is in parentheses. The ticks are of 10 ms.
  const children = stat
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(13, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  return (user + system) / 1e6 + children;
}
