import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs the trust tests in full and writes their measurements to docs/trust.md; with names, only the files with these names.

const tools = { nginx: 'nginx', haproxy: 'haproxy', faketime: 'faketime', 'fiu-run': 'fiu-utils', strace: 'strace' };
const missing = Object.entries(tools).filter(([tool]) => spawnSync('which', [tool]).status !== 0);
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name).join(' ');
  console.error(`The full trust tests need ${packages}: apt-get install ${packages}`);
  process.exit(1);
}

const names = process.argv.slice(2);
const files = globSync('test/trust/**/*.test.ts').filter(
  (file) => names.length === 0 || names.some((name) => file.includes(name)),
);
const figures = join(mkdtempSync(join(tmpdir(), 'trust-')), 'figures.jsonl');
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
  stdio: 'inherit',
  env: { ...process.env, TRUST: 'full', TRUST_FIGURES: figures },
});

const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
const measured = lines.map((line) => JSON.parse(line) as { test: string; figure: string });
for (const { test, figure } of measured) console.log(`${test}: ${figure}`);

if (status === 0) {
  const page = readFileSync('docs/trust.md', 'utf8');
  const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const block = page.slice(page.indexOf(begin), page.indexOf(end));
  const before = [...block.matchAll(/^\| (?!Test|---)(.+?) \| (.+) \|$/gm)].map(
    ([, test, figure]) => [test!, figure!] as const,
  );
  const rows = new Map([...before, ...measured.map(({ test, figure }) => [test, figure] as const)]);
  const table = [...rows].sort().map(([test, figure]) => `| ${test} | ${figure} |`);
  const text = [begin, '', '| Test | Measured |', '| --- | --- |', ...table, '', ''].join('\n');
  writeFileSync(
    'docs/trust.md',
    page.replace(block, () => text),
  );
}
process.exitCode = status ?? 1;
