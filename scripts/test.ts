import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bundle/code.ts';
import { writeProgram } from './bundle/program.ts';

// Runs tests, whose hundreds of processes inherit two things: a cache, because they load the same modules, which Node then compiles
// once for all of them, and the program, bundled as for the package. The arguments are those of `node --test`.

const cache = mkdtempSync(join(tmpdir(), 'compile-cache-'));
rmSync(join(root, 'out/src'), { recursive: true, force: true });
await writeProgram('out');
const { status } = spawnSync(process.execPath, ['--test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: cache, TEST_PROGRAM: join(root, 'out/src/main.cjs') },
});
// A process that a test started may still write to it.
rmSync(cache, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
process.exitCode = status ?? 1;
