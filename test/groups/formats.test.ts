import { importTests } from './import-tests.ts';

importTests(
  'formats/!(import|profile)/*.test.ts',
  'formats/import/!(documents|import-profile|linkedin|reactive-resume).test.ts',
  'formats/profile/!(edits).test.ts',
);
