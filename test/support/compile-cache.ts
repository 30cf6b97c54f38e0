import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// For `npm test`: its hundreds of processes load the same modules, which Node compiles once for all of them if they share a cache.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'compile-cache-'));
  process.env.NODE_COMPILE_CACHE = folder;
  // A process that a test started may still write to it.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
