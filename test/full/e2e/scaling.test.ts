import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readSizes, type Sizes, sizeNames } from '../../../scripts/scaling-arithmetic.ts';
import { measureSizesAlone } from '../../../scripts/scaling-sizes.ts';
import { isFull } from '../../support/figures.ts';

const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8');

test('the sizes that docs/scaling.md reckons with are those that the service sends and stores, to a tenth', {
  skip: !isFull && 'in full only',
}, async () => {
  const written = readSizes(page)!;
  for (const [name, size] of Object.entries(await measureSizesAlone())) {
    const key = name as keyof Sizes;
    const remedy = `${sizeNames[key]}: ${size}, and the page says ${written[key]}; node scripts/scaling.ts --measure`;
    assert.ok(Math.abs(written[key] - size) <= size / 10, remedy);
  }
});
