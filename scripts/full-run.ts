import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs tests in full that `npm test` runs in a short form or not at all, and writes what they measured to a page; with names after
// that of the run, only the files with these names.

interface FullRun {
  readonly files: readonly string[];
  /** The programs that they need, each with its Debian package. */
  readonly programs?: Readonly<Record<string, string>>;
  /** The page with the table of their measurements. */
  readonly page?: string;
}

const runs: Readonly<Record<string, FullRun>> = {
  trust: {
    files: ['test/trust/**/*.test.ts'],
    programs: { nginx: 'nginx', haproxy: 'haproxy', 'fiu-run': 'fiu-utils', strace: 'strace' },
    page: 'docs/evidence/trust.md',
  },
  replicas: { files: ['test/replicas/*.test.ts'], programs: { haproxy: 'haproxy' } },
  deploy: {
    files: ['test/deploy/programs/*.run.ts'],
    programs: {
      caddy: 'caddy',
      nginx: 'nginx',
      haproxy: 'haproxy',
      'systemd-analyze': 'systemd',
      strace: 'strace',
      bwrap: 'bubblewrap',
    },
  },
  documents: { files: ['test/documents/*.run.ts'], programs: { soffice: 'libreoffice-writer-nogui' } },
  // The other tests that `npm test` runs in a short form.
  sweeps: {
    files: [
      'test/e2e/{examples,package,shutdown}.test.ts',
      'packages/resume-import/test/damaged/mutations.test.ts',
      'packages/resume-profile/test/edits.test.ts',
      'packages/resume-documents/test/pdf/page-breaks.test.ts',
      'test/full/web/{every-page,profiles}.test.ts',
    ],
  },
};

const [name = '', ...parts] = process.argv.slice(2);
const { files: patterns, programs = {}, page } = runs[name]!;
const missing = Object.entries(programs).filter(([program]) => spawnSync('which', [program]).status !== 0);
if (missing.length > 0) {
  const packages = missing.map(([, debian]) => debian).join(' ');
  console.error(`The full ${name} tests need ${packages}: apt-get install ${packages}`);
  process.exit(1);
}

const files = globSync(patterns).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
const figures = join(mkdtempSync(join(tmpdir(), `${name}-`)), 'figures.jsonl');
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
  stdio: 'inherit',
  env: { ...process.env, FULL_RUN: 'true', FIGURES: figures },
});

const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
const measured = lines.map((line) => JSON.parse(line) as { test: string; figure: string });
for (const { test, figure } of measured) console.log(`${test}: ${figure}`);
if (status === 0 && page !== undefined) writeTable(page, new Map(measured.map(({ test, figure }) => [test, figure])));
process.exitCode = status ?? 1;

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
