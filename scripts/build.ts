import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleCode, licencesOf } from './bundle/code.ts';

// Builds the package: Node runs TypeScript directly, but not under node_modules, and loads a few files faster than hundreds.

/** Packages that stay outside: they have native code, or are optional and not installed. */
const external = ['@myriaddreamin/typst-ts-node-compiler', '@resvg/resvg-js', 'pg-native'];

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

const entries = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, `${path}.ts`]));
const programs = await bundleCode(
  { input: entries('src/main', 'src/adapters/pdf/print-process'), platform: 'node', external },
  {
    chunkFileNames: 'src/[name]-[hash].js',
    // What every command loads is one file. What else several share is split by rolldown, so that each loads only its own.
    codeSplitting: { groups: [{ name: 'command-line', test: /\/src\/commands\/command-line\.ts$/ }] },
  },
);
// Apart, so that no chunk of it has what only Node has; zod is named by its types.
const client = await bundleCode({ input: entries('src/client'), platform: 'neutral', external: ['zod'] }, {});
const chunks = [...programs, ...client];
for (const { fileName, code } of chunks) {
  mkdirSync(dirname(join('dist', fileName)), { recursive: true });
  writeFileSync(join('dist', fileName), code);
}
writeFileSync('dist/LICENSES-OF-PACKAGES', licencesOf(chunks));
for (const path of globSync('src/**/*.*', { exclude: ['**/*.ts'] })) cpSync(path, `dist/${path}`);
// Of two sources the service makes the client that it offers.
for (const path of ['examples', 'profile.schema.json', 'src/client.ts', 'src/model/failure.ts'])
  cpSync(path, `dist/${path}`, { recursive: true });
