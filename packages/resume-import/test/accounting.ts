import assert from 'node:assert/strict';
import type { Format } from 'resume-import/draft/draft';
import { type Imported, importInput } from 'resume-import/import-resume';
import type { Input } from 'resume-import/source/tree';
import { readProfileText } from 'resume-profile/profile-reader';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { parse } from 'yaml';

/** Imports an input twice, asserts what every import guarantees, and returns the result. `read` must read the input again each time. */
export function assertAccounted(read: () => Input, format: Format): Imported & { yaml: string } {
  const [first, second] = [importOnce(read(), format), importOnce(read(), format)];
  const { leaves, imported, yaml } = first;
  const { lossReport } = imported;

  const { carriedOver, changed, notCarriedOver } = lossReport;
  const reported = [...carriedOver, ...changed, ...notCarriedOver].map(({ where }) => where);
  assert.deepEqual(
    reported.sort(),
    leaves.map(({ where }) => where).sort(),
    'the loss report has each value of the input once',
  );

  const document = new Set([...textsOf(parse(yaml)), imported.photo]);
  const lost = leaves.filter(({ text, changes }) => changes?.size === 0 && !document.has(text));
  assert.deepEqual(lost, [], 'each value that is carried over is in the profile');

  const { profile, faults } = readProfileText(yaml);
  assert.deepEqual(faults, []);
  assert.deepEqual(profile, imported.profile, 'reading the document gives the same profile');
  assert.equal(second.yaml, yaml, 'a second import gives the same bytes');
  return { ...imported, yaml };
}

function importOnce(input: Input, format: Format) {
  const imported = importInput(input, format);
  return { leaves: input.leaves, imported, yaml: toProfileYaml(imported.profile, '.', { photo: imported.photo }) };
}

/** Every text in a value, with numbers and booleans as texts. */
export function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [String(value)];
}
