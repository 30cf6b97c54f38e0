import '../../support/on-postgres.ts';
import '../../contract/link-messages.test.ts';
import '../../contract/link-pages.test.ts';
import '../../contract/links.test.ts';
