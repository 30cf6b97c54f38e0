import { importTests } from './import-tests.ts';

importTests('trust/{fuzz,http,profile,store,tokens}/*.test.ts');
