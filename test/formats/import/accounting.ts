import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { type LossReport, toLossReport } from '../../../src/formats/import/build/loss-report.ts';
import { toProfile } from '../../../src/formats/import/build/to-profile.ts';
import type { Format } from '../../../src/formats/import/readers/draft.ts';
import { toCursor } from '../../../src/formats/import/source/input-cursor.ts';
import type { Input } from '../../../src/formats/import/source/tree.ts';
import { readProfileText } from '../../../src/formats/profile/profile-reader.ts';
import { toProfileYaml } from '../../../src/formats/profile/profile-writer.ts';

/** Imports an input twice, asserts what every import guarantees, and returns the result. `read` must read the input again each time. */
export function assertAccounted(read: () => Input, format: Format): { yaml: string; lossReport: LossReport } {
  const [first, second] = [importOnce(read(), format), importOnce(read(), format)];
  const { leaves, lossReport, yaml } = first;

  const reported = [...lossReport.carriedOver, ...lossReport.changed, ...lossReport.notCarriedOver].map(
    ({ where }) => where,
  );
  assert.deepEqual(
    reported.sort(),
    leaves.map(({ where }) => where).sort(),
    'the loss report has each value of the input once',
  );

  const document = new Set(textsOf(parse(yaml)));
  const lost = leaves.filter(({ text, changes }) => changes?.size === 0 && !document.has(text));
  assert.deepEqual(lost, [], 'each value that is carried over is in the profile');

  const { profile, faults } = readProfileText(yaml);
  assert.deepEqual(faults, []);
  assert.deepEqual(profile, first.profile, 'reading the document gives the same profile');
  assert.equal(second.yaml, yaml, 'a second import gives the same bytes');
  return { yaml, lossReport };
}

function importOnce({ tree, leaves }: Input, format: Format) {
  const { profile, filledIn } = toProfile(format.toDraft(toCursor(tree)), '2026-01-01');
  return { leaves, profile, lossReport: toLossReport(leaves, filledIn), yaml: toProfileYaml(profile, '.') };
}

/** Every text in a value, with numbers and booleans as texts. */
export function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [String(value)];
}
