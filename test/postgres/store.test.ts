import '../support/on-postgres.ts';
import '../unit/store/inbox.test.ts';
