import { requestsSent } from '../../support/on-replicas.ts';
import '../../contract/rest.test.ts';
import { after } from 'node:test';
import { isFull, report } from '../../support/figures.ts';

// In full alone: it takes a minute.
if (isFull) await import('../../contract/parity.test.ts');

after(() =>
  report(
    'contract suite against two replicas behind haproxy, requests spread',
    `every case of REST, and every operation over REST, both revisions of MCP and the typed client: ${requestsSent()} requests, each to another replica than the one before`,
  ),
);
