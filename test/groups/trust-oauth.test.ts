import { importTests } from './import-tests.ts';

importTests('trust/oauth/*.test.ts');
