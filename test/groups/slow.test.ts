import { importTests } from './import-tests.ts';

importTests(
  'contract/{contributing,oauth-differences,owner,page-sessions,resume-file,shared-caches}.test.ts',
  'formats/{import/documents,import/import-profile,import/linkedin,profile/edits}.test.ts',
  'unit/{mail/outbox,mail/smtp,mcp/bridge,mcp/http,mcp/stdio}.test.ts',
);
