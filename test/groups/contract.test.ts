import { importTests } from './import-tests.ts';

importTests(
  '*.test.ts',
  'contract/!(contributing|link-messages|oauth-differences|owner|page-sessions|resume-file|shared-caches|views).test.ts',
);
