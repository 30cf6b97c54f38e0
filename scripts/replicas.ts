import { runInFull } from './full-run.ts';

// Runs the tests of several replicas in full and writes their measurements to docs/scaling.md; with names, only the files with
// these names.

runInFull({ name: 'replicas', tools: { haproxy: 'haproxy' }, page: 'docs/scaling.md' });
