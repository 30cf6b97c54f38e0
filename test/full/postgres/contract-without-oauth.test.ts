import '../../support/on-postgres.ts';
import '../../support/without-oauth.ts';
import '../../contract/headers.test.ts';
import '../../contract/mcp-guard.test.ts';
import '../../contract/rest.test.ts';
