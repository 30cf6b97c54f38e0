import { importFastTests } from './import-tests.ts';

importFastTests('*.test.ts', 'contract/*.test.ts');
