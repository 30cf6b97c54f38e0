import { importTests } from './import-tests.ts';

importTests(
  '*.test.ts',
  'contract/!(contributing|oauth-differences|owner|page-sessions|resume-file|shared-caches).test.ts',
);
