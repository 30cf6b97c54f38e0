import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { importInput } from '../../../src/formats/import/import-profile.ts';
import type { Format } from '../../../src/formats/import/readers/draft.ts';
import { jsonResume } from '../../../src/formats/import/readers/json-resume.ts';
import { reactiveResume } from '../../../src/formats/import/readers/reactive-resume.ts';
import { renderCv } from '../../../src/formats/import/readers/rendercv.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { readProfileText } from '../../../src/formats/profile/profile-reader.ts';
import { toProfileYaml } from '../../../src/formats/profile/profile-writer.ts';
import { textsOf } from '../../../src/model/profile/texts.ts';
import { assertAccounted } from '../../formats/import/accounting.ts';
import { readFixture } from '../../formats/import/expected.ts';
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
      parse(readFixture(`import/${file}`)),
      (text) => assertAccounted(() => readTree(text), format).lossReport,
    );
  });

for (const [file, format] of inputs)
  test(`whichever text of ${file} is too long to be printed, a valid profile is made of the rest [TRUST-66]`, () => {
    const original: unknown = parse(readFixture(`import/${file}`));
    const { length } = textsOf(original);
    for (const long of ['x'.repeat(1_001), 'word '.repeat(61)])
      for (let index = 0; index < length; index += scaled(1, 4)) {
        let at = 0;
        const lengthen = (_key: string, value: unknown) =>
          typeof value === 'string' && at++ === index ? `${value} ${long}` : value;
        const { profile } = importInput(readTree(JSON.stringify(original, lengthen)), format);
        assert.deepEqual(readProfileText(toProfileYaml(profile, '/')).faults, [], `text ${index}`);
      }
  });
