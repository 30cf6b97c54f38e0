import { importTests } from './import-tests.ts';

importTests(
  'contract/{contributing,link-messages,link-names,link-views,oauth-differences,owner,page-sessions,resume-file,shared-caches,views}.test.ts',
  'formats/{import/documents,import/import-profile,import/linkedin,import/reactive-resume,profile/edits}.test.ts',
  'unit/{adapters/audit-log,mail/outbox,mail/smtp,mcp/bridge,mcp/http,mcp/stdio}.test.ts',
);
