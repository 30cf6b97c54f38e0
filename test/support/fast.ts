import { existsSync } from 'node:fs';

// For the fast tests: puts temporary files in memory if the system has a folder there, because an fsync to a disk takes
// milliseconds. `npm test` runs the same tests on the disk.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';
