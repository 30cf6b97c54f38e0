import '../../support/on-postgres.ts';
import '../../unit/adapters/reader-record.test.ts';
import '../../unit/store/inbox.test.ts';
import '../../unit/store/owner-events.test.ts';
import '../../unit/store/readers.test.ts';
import '../../unit/store/store.test.ts';
import '../../unit/store/stored-reads.test.ts';
import '../../unit/tokens/revocations.test.ts';
