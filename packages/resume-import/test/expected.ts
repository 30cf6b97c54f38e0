import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Format } from 'resume-import/draft/draft';
import type { Imported } from 'resume-import/import-resume';
import { toDetails, toSummary } from 'resume-import/report/summary';
import { type Input, readTree } from 'resume-import/source/tree';
import { toLineOf } from 'resume-profile/yaml/yaml';
import { assertAccounted } from './accounting.ts';
import { corpusFile, readFixture } from './corpus.ts';

/** Imports a file of the corpus, and asserts that it gives the expected files beside it. */
export const assertExpected = (path: string, format: Format): void =>
  assertGives(path.slice(0, -extname(path).length), () => readTree(readFixture(path)), format);

/** Imports an input, and asserts that it gives the expected files of a name. `read` must read the input again each time. */
export function assertGives(name: string, read: () => Input, format: Format): void {
  const { yaml, ...imported } = assertAccounted(read, format);
  assertFiles(name, yaml, imported);
}

/**
 * Asserts that the document of an import (without comments) and its report equal the expected files of a name, which
 * `UPDATE_EXPECTED=1` writes anew: read the difference.
 */
export function assertFiles(name: string, yaml: string, imported: Imported): void {
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
