import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Prints how large the code is: of each library, of the service and of the tests. It counts a copy that is formatted at 120
// columns, so that long lines save nothing.

const isTest = (path: string) => /(^|\/)(test|corpus)\/|\.test\.ts$/.test(path);

const copy = mkdtempSync(join(tmpdir(), 'lines-'));
const paths = globSync('{src,test,packages}/**/*.ts', { exclude: ['**/node_modules/**', '**/dist/**'] });
for (const path of paths) cpSync(path, join(copy, path));
const format = [
  'format',
  '--write',
  '--indent-style=space',
  '--line-width=120',
  '--javascript-formatter-quote-style=single',
];
const { status, stderr } = spawnSync('biome', [...format, '.'], { cwd: copy, encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);

const sizes = Map.groupBy(
  paths.map((path) => ({ path, lines: readFileSync(join(copy, path), 'utf8').split('\n').length - 1 })),
  ({ path }) => (isTest(path) ? 'tests' : path.startsWith('src/') ? 'service' : path.split('/').slice(0, 2).join('/')),
);
rmSync(copy, { recursive: true });
const row = (name: string, files: readonly { readonly lines: number }[]) =>
  console.log(
    `${name.padEnd(28)} ${`${files.length} files`.padStart(10)} ${`${files.reduce((sum, { lines }) => sum + lines, 0)} lines`.padStart(13)}`,
  );
for (const [name, files] of [...sizes].sort()) if (name !== 'tests') row(name, files);
row(
  'service and packages',
  [...sizes].flatMap(([name, files]) => (name === 'tests' ? [] : files)),
);
row('tests', sizes.get('tests') ?? []);
