import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { bundleCode, licencesOf } from './bundle/code.ts';
import { writeChunks, writeProgram } from './bundle/program.ts';

// Builds the package: Node runs TypeScript directly, but not under node_modules, and loads a few files faster than hundreds.

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
// The packages are bundled and not installed, so the types that the client has of them are named by path.
for (const path of globSync('dist/**/*.d.ts')) {
  const toPackages = relative(dirname(path), 'dist/packages');
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/(from |import\()'resume-profile\/(.+?)'/g, `$1'${toPackages}/resume-profile/src/$2.js'`),
  );
}

const program = await writeProgram('dist');
// Apart, so that no chunk of it has what only Node has; zod is named by its types.
const client = await bundleCode(
  { input: { 'src/client': 'src/client.ts' }, platform: 'neutral', external: ['zod'] },
  {},
);
writeChunks('dist', client);
writeFileSync('dist/LICENSES-OF-PACKAGES', licencesOf([...program, ...client]));
