import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Format } from 'resume-import/draft/draft';
import { toDetails, toSummary } from 'resume-import/report/summary';
import { type Input, readTree } from 'resume-import/source/tree';
import { toLineOf } from 'resume-profile/yaml/yaml';
import { assertAccounted } from './accounting.ts';
import { corpusFile, readFixture } from './corpus.ts';

/** Imports a file of the corpus, and asserts that it gives the expected files beside it. */
export const assertExpected = (path: string, format: Format): void =>
  assertGives(basename(path, extname(path)), () => readTree(readFixture(path)), format);

/**
 * Imports an input, and asserts that profile (without comments) and loss report equal the expected files of a name, which
 * `UPDATE_EXPECTED=1` writes anew: read the difference. `read` must read the input again each time.
 */
export function assertGives(name: string, read: () => Input, format: Format): void {
  const { yaml, ...imported } = assertAccounted(read, format);
  const document = yaml.replace(/^#.*\n/gm, '').replace(/\n{3,}/g, '\n\n');
  const results = {
    yaml: document,
    txt: `${toSummary(imported, toLineOf(document))}\n${toDetails(imported.report)}\n`,
  };
  for (const [kind, result] of Object.entries(results)) {
    if (process.env.UPDATE_EXPECTED === '1') writeFileSync(corpusFile(`${name}.expected.${kind}`), result);
    assert.equal(result, readFixture(`${name}.expected.${kind}`));
  }
}
