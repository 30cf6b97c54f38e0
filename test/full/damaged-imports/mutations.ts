import assert from 'node:assert/strict';
import type { LossReport } from 'resume-import/report/loss-report';
import { textsOf } from '../../../packages/resume-import/test/accounting.ts';
import { randomOf } from '../../support/random.ts';

/**
 * Imports an object with random members deleted, repeated, moved or of another type, and expects each value in the loss report,
 * unless it is refused by the name of its format.
 */
export function assertNothingVanishes(original: unknown, importText: (text: string) => LossReport): void {
  const { below } = randomOf(20_260_101);
  for (let round = 0; round < 20; round++) {
    const resume = mutated(structuredClone(original), below);
    const report = unlessRefused(() => importText(JSON.stringify(resume)));
    if (report === null) continue;
    const { carriedOver, changed, notCarriedOver } = report;
    const reported = carriedOver.length + changed.length + notCarriedOver.length;
    assert.equal(reported, textsOf(resume).filter((text) => /\S/.test(text)).length);
  }
}

function unlessRefused<Result>(run: () => Result): Result | null {
  try {
    return run();
  } catch (error) {
    assert.match((error as Error).message, /^is a (RenderCV|Reactive Resume) /);
    return null;
  }
}

// biome-ignore format: a table
const oddities = [
  null, '', ' ', 0, -1, 3.5, true, [], {}, 'x', 'present', '2019', '2021-13-40', '\u0000\u0007', 'a\r\nb\n\n c\td', '\ud800',
  '\u2028x', '# no', '- a', ': x', '"', '*a', '!!x', '%', '|', 'null', '0x10', '{', 'https://a b', 'é'.repeat(300), ['a', ['b']],
  { a: { b: 1 } }, '<ul><li>a<ul><li>&#0;&amp;</p>', '<p></p>', '[a](b) - **c** - `d`', '**', 'since 2020', 'trail   \n\n',
  '---', 'a\u0085b', 'tab\tin', `one\n  two\n${'y'.repeat(120)}`,
];

function mutated(resume: unknown, random: (below: number) => number): unknown {
  for (let count = 1 + random(5); count > 0; count--) {
    const members = membersOf(resume);
    const { parent, key } = members[random(members.length)]!;
    const other = members[random(members.length)]!;
    const change = random(4);
    if (change === 0) delete parent[key];
    else if (change === 1) parent[`${key}2`] = structuredClone(parent[key]);
    else if (change === 2) parent[key] = oddities[random(oddities.length)];
    else parent[key] = structuredClone(other.parent[other.key]);
  }
  // As JSON, lists with deleted elements or named members become plain lists again.
  return JSON.parse(JSON.stringify(resume));
}

type Parent = Record<string, unknown>;

function membersOf(value: unknown): { parent: Parent; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Parent;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...membersOf(parent[key])]);
}
