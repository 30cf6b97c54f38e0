import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';

// Builds the package: Node runs TypeScript directly, but not under node_modules.

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
for (const path of globSync('src/**/*.*', { exclude: ['**/*.ts'] })) cpSync(path, `dist/${path}`);
for (const path of ['examples', 'profile.schema.json']) cpSync(path, `dist/${path}`, { recursive: true });
