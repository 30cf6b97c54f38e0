import { importTests } from './import-tests.ts';

importTests('*.test.ts', 'contract/*.test.ts');
