import '../support/on-postgres.ts';
import '../e2e/oauth.test.ts';
import '../e2e/oauth-clients.test.ts';
import '../e2e/oauth-verification.test.ts';
import '../trust/oauth/codes.test.ts';
import '../trust/oauth/ending.test.ts';
import '../trust/oauth/revocation.test.ts';
import '../trust/oauth/second-uses.test.ts';
import '../unit/operations/verification-codes.test.ts';
import '../unit/store/oauth-grants.test.ts';
import { isFull } from '../support/figures.ts';

// In full alone: it takes half a minute.
if (isFull) await import('../e2e/oauth-owner.test.ts');
