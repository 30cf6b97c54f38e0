import { importTests } from './import-tests.ts';

importTests('pages/*.test.ts', 'formats/import/damaged/*.test.ts', 'deploy/*.test.ts');
