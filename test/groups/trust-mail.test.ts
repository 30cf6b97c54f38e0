import { importTests } from './import-tests.ts';

importTests('trust/mail/*.test.ts');
