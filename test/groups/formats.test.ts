import { importTests } from './import-tests.ts';

importTests('formats/*/*.test.ts');
