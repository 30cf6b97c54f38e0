import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Format } from 'resume-import/draft/draft';
import { toDetails, toSummary } from 'resume-import/report/summary';
import { readTree } from 'resume-import/source/tree';
import { toLineOf } from 'resume-profile/yaml/yaml';
import { assertAccounted } from './accounting.ts';

const pathOf = (fixture: string) => new URL(`../../fixtures/${fixture}`, import.meta.url);

export const readFixture = (path: string): string => readFileSync(pathOf(path), 'utf8');

/**
 * Imports a fixture, and asserts that profile (without comments) and loss report equal the expected files in `import/`, which
 * `UPDATE_EXPECTED=1` writes anew: read the difference.
 */
export function assertExpected(path: string, format: Format): void {
  const { yaml, ...imported } = assertAccounted(() => readTree(readFixture(path)), format);
  const expected = `import/${basename(path, extname(path))}.expected`;
  const document = yaml.replace(/^#.*\n/gm, '').replace(/\n{3,}/g, '\n\n');
  const results = {
    yaml: document,
    txt: `${toSummary(imported, toLineOf(document))}\n${toDetails(imported.lossReport)}\n`,
  };
  for (const [kind, result] of Object.entries(results)) {
    if (process.env.UPDATE_EXPECTED === '1') writeFileSync(pathOf(`${expected}.${kind}`), result);
    assert.equal(result, readFixture(`${expected}.${kind}`));
  }
}
