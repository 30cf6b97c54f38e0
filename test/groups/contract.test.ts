import { importTests } from './import-tests.ts';

importTests('*.test.ts', 'contract/!(owner|page-sessions|resume-file).test.ts');
