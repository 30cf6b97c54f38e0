import '../support/on-postgres.ts';
import '../e2e/oauth.test.ts';
import '../e2e/oauth-clients.test.ts';
import '../e2e/oauth-verification.test.ts';
import '../trust/oauth/codes.test.ts';
import '../trust/oauth/ending.test.ts';
import '../unit/operations/verification-codes.test.ts';
