import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/bundle/code.ts';
import { writeProgram } from '../../scripts/bundle/program.ts';

// For `npm test`, whose processes inherit both: hundreds of them load the same modules, which Node compiles once for all of them if
// they share a cache, and the program is bundled as for the package.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'compile-cache-'));
  process.env.NODE_COMPILE_CACHE = folder;
  // A process that a test started may still write to it.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
if (process.env.TEST_PROGRAM === undefined) {
  rmSync(join(root, 'out/src'), { recursive: true, force: true });
  await writeProgram('out');
  process.env.TEST_PROGRAM = join(root, 'out/src/main.js');
}
