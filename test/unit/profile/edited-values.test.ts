import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { differenceList } from '../../../src/model/profile/differences.ts';
import { readValues, textWith } from '../../../src/model/profile/document-text.ts';
import { merge } from '../../../src/model/profile/merge.ts';
import { applyPatch, equals, toPointer, valueAt } from '../../../src/model/profile/patch.ts';
import type { PatchOperation, Path } from '../../../src/model/profile/working-copy.ts';
import { scaled } from '../../support/figures.ts';
import { type Random, randomOf } from '../../support/random.ts';

const sample = readFileSync('examples/every-section.yaml', 'utf8');
const base = readValues(sample)!;

/** The places of all values below a value. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.keys(value).map((key) => [...path, Array.isArray(value) ? Number(key) : key]);
  return [path, ...inner.flatMap((one) => placesIn(valueAt(value, one.slice(path.length)), one))];
}

/** A change such as the editor makes: a text is typed, an entry added, removed or moved. */
function anyChange(values: unknown, random: Random): PatchOperation {
  const places = placesIn(values);
  const lists = places.filter(
    (path) => Array.isArray(valueAt(values, path)) && (valueAt(values, path) as []).length > 1,
  );
  const list = random.pick(lists);
  const { length } = valueAt(values, list) as unknown[];
  const at = (index: number) => toPointer([...list, index]);
  const kind = random.below(4);
  if (kind === 0) return { op: 'remove', path: at(random.below(length)) };
  if (kind === 1) return { op: 'move', from: at(random.below(length)), path: at(random.below(length)) };
  const text = `New ${random.below(1_000)}`;
  if (kind === 2 && typeof valueAt(values, [...list, 0]) === 'string')
    return { op: 'add', path: at(random.below(length + 1)), value: text };
  const texts = places.filter((path) => typeof valueAt(values, path) === 'string' && path.at(-1) !== 'id');
  return { op: 'replace', path: toPointer(random.pick(texts)), value: text };
}

function anyEdit(random: Random): unknown {
  let values: unknown = base;
  for (let count = 0; count <= random.below(5); count += 1) values = applyPatch(values, [anyChange(values, random)]);
  return values;
}

test('taking back each difference, in any order, gives the older document', () => {
  for (let seed = 0; seed < scaled(1_000, 100); seed += 1) {
    const random = randomOf(seed);
    let values = anyEdit(random);
    for (let left = differenceList(base, values); left.length > 0; left = differenceList(base, values)) {
      const { words, patch } = random.pick(left);
      assert.notDeepEqual(words, []);
      values = applyPatch(values, patch);
    }
    assert.ok(equals(values, base), `seed ${seed}`);
  }
});

test('a merge with nothing is the other, and two equal changes are merged without a conflict', () => {
  for (let seed = 0; seed < scaled(300, 30); seed += 1) {
    const edited = anyEdit(randomOf(seed));
    for (const [mine, theirs] of [
      [edited, base],
      [base, edited],
      [edited, edited],
    ])
      assert.deepEqual(merge(base, mine, theirs), { value: edited, conflicts: [] }, `seed ${seed}`);
  }
});

test('of two changes of a document each is in the merge, or is a conflict at its place', () => {
  for (let seed = 0; seed < scaled(1_000, 100); seed += 1) {
    const random = randomOf(seed);
    const [mine, theirs] = [anyEdit(random), anyEdit(random)];
    const { value, conflicts } = merge(base, mine, theirs);
    const typed = (JSON.stringify([mine, theirs]).match(/New \d+/g) ?? []) as string[];
    const kept = JSON.stringify([value, conflicts]);
    for (const text of typed) assert.ok(kept.includes(text), `seed ${seed}: ${text}`);
  }
});

test('the text of edited values has them, and the comments of what stayed', () => {
  for (let seed = 0; seed < scaled(200, 20); seed += 1) {
    const values = anyEdit(randomOf(seed));
    const { text, costs } = textWith(sample, values);
    assert.equal(costs, 'nothing', `seed ${seed}`);
    assert.deepEqual(readValues(text), values, `seed ${seed}`);
  }
});

test('a value that an alias refers to is written out where it must be, and the comments stay', () => {
  const text = '# Mine\na: &skills [Go, SQL] # both\nb: *skills\n';
  assert.deepEqual(textWith(text, { a: ['Go'], b: ['Go', 'SQL'] }), {
    text: '# Mine\na: &skills [Go] # both\nb: ["Go","SQL"]\n',
    costs: 'aliases',
  });
});
