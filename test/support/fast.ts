import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// For the fast tests: puts temporary files in memory if the system has a folder there, because an fsync to a disk takes
// milliseconds, and keeps what Node compiled for the next run. `npm test` runs the same tests on the disk.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/fast-tests', import.meta.url));
