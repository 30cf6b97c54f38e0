import { importTests } from './import-tests.ts';

importTests(
  'contract/{contributing,owner,page-sessions,resume-file}.test.ts',
  'formats/{import/documents,import/import-profile,import/linkedin,profile/edits}.test.ts',
  'unit/{mail/outbox,mail/smtp,mcp/bridge,mcp/http,mcp/stdio}.test.ts',
);
