import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Format } from 'resume-import/draft/draft';
import { importInput } from 'resume-import/import-resume';
import { jsonResume } from 'resume-import/readers/json-resume';
import { reactiveResume } from 'resume-import/readers/reactive-resume';
import { renderCv } from 'resume-import/readers/rendercv';
import { readTree } from 'resume-import/source/tree';
import { readProfileText } from 'resume-profile/profile-reader';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { textsOf } from 'resume-profile/texts';
import { parse } from 'yaml';
import { assertAccounted } from '../../../packages/resume-import/test/accounting.ts';
import { readFixture } from '../../../packages/resume-import/test/corpus.ts';
import { scaled } from '../../support/figures.ts';
import { assertNothingVanishes } from './mutations.ts';

const inputs: readonly [string, Format][] = [
  ['jsonresume-hard.json', jsonResume],
  ['rendercv-hard.yaml', renderCv],
  ['reactive-resume-4.json', reactiveResume],
  ['reactive-resume-5.json', reactiveResume],
];

for (const [file, format] of inputs)
  test(`the loss report accounts for each value of ${file}, whatever is missing, repeated or of another type`, () => {
    assertNothingVanishes(
      parse(readFixture(`${file}`)),
      (text) => assertAccounted(() => readTree(text), format).report,
    );
  });

for (const [file, format] of inputs)
  test(`whichever text of ${file} is too long to be printed, a valid profile is made of the rest [TRUST-66]`, () => {
    const original: unknown = parse(readFixture(`${file}`));
    const { length } = textsOf(original);
    for (const long of ['x'.repeat(1_001), 'word '.repeat(61)])
      for (let index = 0; index < length; index += scaled(1, 4)) {
        let at = 0;
        const lengthen = (_key: string, value: unknown) =>
          typeof value === 'string' && at++ === index ? `${value} ${long}` : value;
        const { profile } = importInput(readTree(JSON.stringify(original, lengthen)), format);
        assert.deepEqual(readProfileText(toProfileYaml(profile)).faults, [], `text ${index}`);
      }
  });
