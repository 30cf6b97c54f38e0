import { importTests } from './import-tests.ts';

importTests('*.test.ts', 'contract/!(contributing|owner|page-sessions|resume-file).test.ts');
