import { importTests, slowTests } from './import-tests.ts';

importTests(...slowTests);
