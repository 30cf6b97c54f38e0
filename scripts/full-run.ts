import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface FullRun {
  /** What the tests are called: those of `test/NAME` are run. */
  readonly name: string;
  /** The programs that they need, each with its Debian package. */
  readonly tools: Readonly<Record<string, string>>;
  /** The page with the table of their measurements. */
  readonly page: string;
}

/** Runs the tests of a folder in full and writes their measurements to a page; with arguments, only the files with these names. */
export function runInFull({ name, tools, page }: FullRun): void {
  const missing = Object.entries(tools).filter(([tool]) => spawnSync('which', [tool]).status !== 0);
  if (missing.length > 0) {
    const packages = missing.map(([, debian]) => debian).join(' ');
    console.error(`The full ${name} tests need ${packages}: apt-get install ${packages}`);
    process.exit(1);
  }

  const names = process.argv.slice(2);
  const files = globSync(`test/${name}/**/*.test.ts`).filter(
    (file) => names.length === 0 || names.some((part) => file.includes(part)),
  );
  const figures = join(mkdtempSync(join(tmpdir(), `${name}-`)), 'figures.jsonl');
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
    stdio: 'inherit',
    env: { ...process.env, FULL_RUN: 'true', FIGURES: figures },
  });

  const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
  const measured = lines.map((line) => JSON.parse(line) as { test: string; figure: string });
  for (const { test, figure } of measured) console.log(`${test}: ${figure}`);
  if (status === 0) writeTable(page, new Map(measured.map(({ test, figure }) => [test, figure])));
  process.exitCode = status ?? 1;
}

/** Replaces the rows of the page that were measured anew. */
function writeTable(path: string, measured: ReadonlyMap<string, string>): void {
  const page = readFileSync(path, 'utf8');
  const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const block = page.slice(page.indexOf(begin), page.indexOf(end));
  const before = [...block.matchAll(/^\| (?!Test|---)(.+?) \| (.+) \|$/gm)].map(
    ([, test, figure]) => [test!, figure!] as const,
  );
  const table = [...new Map([...before, ...measured])].sort().map(([test, figure]) => `| ${test} | ${figure} |`);
  const text = [begin, '', '| Test | Measured |', '| --- | --- |', ...table, '', ''].join('\n');
  writeFileSync(
    path,
    page.replace(block, () => text),
  );
}
