import { isFull } from '../../support/figures.ts';

// The headers of answers, and the resume PDF by links that another replica has signed. In full alone: six pairs of replicas are started.
if (isFull) {
  await import('../../support/on-replicas.ts');
  await import('../../contract/headers.test.ts');
  await import('../../contract/resume-file.test.ts');
}
