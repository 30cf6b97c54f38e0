import { requestsSent } from '../support/on-replicas.ts';
import '../contract/rest.test.ts';
import { after } from 'node:test';
import { isFull, report } from '../support/figures.ts';

if (isFull) {
  await import('../contract/parity.test.ts');
  await import('../contract/headers.test.ts');
  await import('../contract/mcp-guard.test.ts');
  await import('../contract/resume-file.test.ts');
}

after(() =>
  report(
    'contract suite against two replicas behind haproxy, requests spread',
    `all cases of REST, of both revisions of MCP, of the typed client, of headers and of the resume file: ${requestsSent()} requests, each to another replica than the one before`,
  ),
);
