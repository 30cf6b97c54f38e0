import '../../support/on-postgres.ts';
import '../../contract/page-sessions.test.ts';
import '../../contract/parity.test.ts';
import '../../contract/rest.test.ts';
