import { importTests } from './import-tests.ts';

importTests('unit/**/*.test.ts');
