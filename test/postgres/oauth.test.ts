import '../support/on-postgres.ts';
import '../e2e/oauth.test.ts';
import '../e2e/oauth-clients.test.ts';
