import { importTests } from './import-tests.ts';

importTests(
  'unit/!(adapters|mail|mcp)/*.test.ts',
  'unit/adapters/!(audit-log).test.ts',
  'unit/mail/!(outbox|smtp).test.ts',
  'unit/mcp/!(bridge|http|stdio).test.ts',
);
