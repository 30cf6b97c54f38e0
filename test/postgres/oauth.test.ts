import '../support/on-postgres.ts';
import '../e2e/oauth.test.ts';
