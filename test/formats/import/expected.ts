import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { toLossReportText } from '../../../src/formats/import/build/loss-report-text.ts';
import type { Format } from '../../../src/formats/import/readers/draft.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { assertAccounted } from './accounting.ts';

export const readFixture = (path: string): string =>
  readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8');

/** Imports a fixture, and asserts that profile (without comments) and loss report equal the expected files in `import/`. */
export function assertExpected(path: string, format: Format): void {
  const { yaml, lossReport } = assertAccounted(() => readTree(readFixture(path)), format);
  const expected = `import/${basename(path, extname(path))}.expected`;
  assert.equal(yaml.replace(/^#.*\n/gm, ''), readFixture(`${expected}.yaml`));
  assert.equal(`${toLossReportText(format.name, lossReport)}\n`, readFixture(`${expected}.txt`));
}
