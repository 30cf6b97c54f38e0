import '../support/on-postgres.ts';
import '../trust/store/idempotency.test.ts';
import '../trust/store/visitor-data.test.ts';
import '../unit/adapters/limits.test.ts';
import '../unit/mail/erased-mail.test.ts';
import '../unit/mail/outbox.test.ts';
import '../unit/service/retention.test.ts';
import '../unit/service/shared-changes.test.ts';
