import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { root } from './bundle/code.ts';
import { writeProgram } from './bundle/program.ts';

// Runs tests in the order of the patterns given, whose first files take longest: `node --test` would sort them. Their hundreds of
// processes inherit two things: a cache, because they load the same modules, which Node then compiles once for all of them, and
// the program, bundled as for the package.

const cache = mkdtempSync(join(tmpdir(), 'compile-cache-'));
rmSync(join(root, 'out/src'), { recursive: true, force: true });
await writeProgram('out');
process.env.NODE_COMPILE_CACHE = cache;
process.env.TEST_PROGRAM = join(root, 'out/src/main.cjs');

const files = process.argv.slice(2).flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
// More than a small machine has processors, because many tests wait.
const tests = run({ cwd: root, files, concurrency: 4 });
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
tests.compose(new spec()).pipe(process.stdout);
// A process that a test started may still write to it.
process.once('exit', () => rmSync(cache, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
