import { test } from 'node:test';
import { parse } from 'yaml';
import type { Format } from '../../../../src/formats/import/readers/draft.ts';
import { jsonResume } from '../../../../src/formats/import/readers/json-resume/json-resume.ts';
import { reactiveResume } from '../../../../src/formats/import/readers/reactive-resume/reactive-resume.ts';
import { renderCv } from '../../../../src/formats/import/readers/rendercv/rendercv.ts';
import { readTree } from '../../../../src/formats/import/source/tree.ts';
import { assertAccounted } from '../accounting.ts';
import { readFixture } from '../expected.ts';
import { assertNothingVanishes } from './mutations.ts';

for (const [file, format] of [
  ['jsonresume-hard.json', jsonResume],
  ['rendercv-hard.yaml', renderCv],
  ['reactive-resume-4.json', reactiveResume],
  ['reactive-resume-5.json', reactiveResume],
] satisfies [string, Format][])
  test(`the loss report accounts for each value of ${file}, whatever is missing, repeated or of another type`, () => {
    assertNothingVanishes(
      parse(readFixture(`import/${file}`)),
      (text) => assertAccounted(() => readTree(text), format).lossReport,
    );
  });
