import '../../support/on-postgres.ts';
import '../../trust/oauth/codes.test.ts';
import '../../trust/oauth/ending.test.ts';
import '../../trust/oauth/registrations.test.ts';
import '../../trust/oauth/verification.test.ts';
import '../../unit/operations/verification-codes.test.ts';
import '../../unit/store/oauth-grants.test.ts';
