import { importFastTests } from './import-tests.ts';

importFastTests('formats/*/*.test.ts');
