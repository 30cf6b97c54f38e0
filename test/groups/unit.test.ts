import { importTests } from './import-tests.ts';

importTests('unit/!(mail|mcp)/*.test.ts', 'unit/mail/!(outbox|smtp).test.ts', 'unit/mcp/!(bridge|http|stdio).test.ts');
