import { importFastTests } from './import-tests.ts';

importFastTests('unit/*/*.test.ts');
