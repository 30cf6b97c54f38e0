import { runInFull } from './full-run.ts';

// Runs the trust tests in full and writes their measurements to docs/evidence/trust.md; with names, only the files with these names.

runInFull({
  name: 'trust',
  tools: { nginx: 'nginx', haproxy: 'haproxy', faketime: 'faketime', 'fiu-run': 'fiu-utils', strace: 'strace' },
  page: 'docs/evidence/trust.md',
});
