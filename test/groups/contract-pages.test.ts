import { importTests } from './import-tests.ts';

importTests('contract/{owner,page-sessions,resume-file}.test.ts');
