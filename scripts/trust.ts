import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs the trust tests in full and prints what they have measured into docs/trust.md; with names, only those and no print.

const tools = { nginx: 'nginx', haproxy: 'haproxy', faketime: 'faketime', 'fiu-run': 'fiu-utils', strace: 'strace' };
const missing = Object.entries(tools).filter(([tool]) => spawnSync('which', [tool]).status !== 0);
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name).join(' ');
  console.error(`The full trust tests need ${packages}: apt-get install ${packages}`);
  process.exit(1);
}

const names = process.argv.slice(2);
const files = globSync('test/trust/*.test.ts').filter(
  (file) => names.length === 0 || names.some((name) => file.includes(name)),
);
const figures = join(mkdtempSync(join(tmpdir(), 'trust-')), 'figures.jsonl');
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
  stdio: 'inherit',
  env: { ...process.env, TRUST: 'full', TRUST_FIGURES: figures },
});

const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
const rows = lines.map((line) => JSON.parse(line) as { test: string; figure: string });
const table = ['| Test | Measured |', '| --- | --- |', ...rows.map(({ test, figure }) => `| ${test} | ${figure} |`)];
console.log(`\n${table.join('\n')}\n`);
if (status === 0 && names.length === 0) {
  const page = readFileSync('docs/trust.md', 'utf8');
  const [begin, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const [before, after] = [page.slice(0, page.indexOf(begin)), page.slice(page.indexOf(end))];
  writeFileSync('docs/trust.md', `${before}${begin}\n\n${table.join('\n')}\n\n${after}`);
}
process.exitCode = status ?? 1;
