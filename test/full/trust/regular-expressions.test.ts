import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { check } from 'recheck';
import { isFull, report } from '../../support/figures.ts';

// In a process of its own: it sees the expressions that modules construct when they are loaded.
const root = join(import.meta.dirname, '../../..');

interface Expression {
  /** `FILE:LINE`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the regular expression literals of a file, and the places that construct expressions at run time. */
function expressionsIn(file: string): { literals: Expression[]; constructedAt: string[] } {
  const script = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'));
  const literals: Expression[] = [];
  const constructedAt: string[] = [];
  full(parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (node) => {
    const place = `${file}:${node.loc!.start.line}`;
    const { regex, callee } = node as Node & { regex?: { pattern: string; flags: string }; callee?: { name?: string } };
    if (regex !== undefined) literals.push({ place, source: regex.pattern, flags: regex.flags });
    if (callee?.name === 'RegExp') constructedAt.push(place);
  });
  return { literals, constructedAt };
}

/** Returns the expressions that files of the service and the packages construct during `run`. */
async function constructedDuring(run: () => Promise<void>): Promise<Expression[]> {
  const constructed: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given: [string, string]) {
      const made = new target(...given);
      const [, file, line] =
        /((?:packages\/[^/]+\/)?src\/\S+):(\d+):\d+\)?$/.exec(new Error().stack!.split('\n')[2]!) ?? [];
      if (file !== undefined) constructed.push({ place: `${file}:${line}`, source: made.source, flags: made.flags });
      return made;
    },
  });
  await run().finally(() => {
    globalThis.RegExp = original;
  });
  return constructed;
}

/** Splits an expression into its top-level alternatives; it is linear if each of them is. */
function alternativesOf(source: string): string[] {
  const alternatives = [''];
  let depth = 0;
  for (const [token] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) alternatives.push('');
    else alternatives[alternatives.length - 1] += token;
  }
  return alternatives;
}

/** Shortens bounded repetitions, which change the cost by a constant factor only. */
const shortened = (source: string) => source.replace(/\{1,\d{3}\}/g, '{1,3}');

/** Limits by steps instead of time, which would depend on the machine; a minute is for searches that don't end. */
const steps = { timeout: 60_000, attackTimeout: null, incubationTimeout: null };

const verdicts = new Map<string, string>();

/** Whether an expression may repeat something without a limit. One that does not takes a constant time at each position. */
const mayRepeat = (source: string) => /[*+]|,\}/.test(source);

/** Returns `linear`, or the complexity that recheck found. */
async function verdictOn(source: string, flags: string): Promise<string> {
  const known = verdicts.get(`/${source}/${flags}`);
  if (known !== undefined) return known;
  const found = mayRepeat(source) ? await check(shortened(source), flags, steps) : ({ status: 'safe' } as const);
  const verdict =
    found.status === 'safe'
      ? 'linear'
      : found.status === 'vulnerable'
        ? `${found.complexity.summary}, as with ${found.attack.pattern}`
        : `${found.error.kind}`;
  verdicts.set(`/${source}/${flags}`, verdict);
  return verdict;
}

test('every regular expression takes linear time on every input [TRUST-12]', async () => {
  // Import runs on the owner's own files only, and is checked in the full run only.
  const files = globSync('{src,packages/*/src}/**/*.ts', { cwd: root }).filter(
    (file) => isFull || !file.startsWith('packages/resume-import/'),
  );
  const found = files.map(expressionsIn);
  const constructed = await constructedDuring(async () => {
    await import('resume-documents/docx/text');
    await import('resume-documents/plain-text');
    const { explainMissingGlyphs } = await import('resume-documents/pdf/pdf-warnings');
    explainMissingGlyphs(['字']);
    const { called, rendererOf } = await import('../../../packages/resume-documents/test/pdf/rendered.ts');
    await rendererOf()(called('한'));
    await import('../../../src/operations/evidence/evidence-index.ts');
    await import('../../../src/operations/evidence/requirements.ts');
    if (!isFull) return;
    const { withoutHtml } = await import('resume-import/readers/rich-text');
    withoutHtml({ text: '<ul><li>One</ul>', parts: [] });
  });
  assert.deepEqual(
    [...new Set(constructed.map(({ place }) => place))].sort(),
    found.flatMap(({ constructedAt }) => constructedAt).sort(),
    'make this test run the code that constructs an expression',
  );

  const faults: string[] = [];
  for (const { place, source, flags } of [...found.flatMap(({ literals }) => literals), ...constructed])
    for (const alternative of alternativesOf(source)) {
      const verdict = await verdictOn(alternative, flags);
      if (verdict !== 'linear') faults.push(`${place}: /${alternative}/${flags}: ${verdict}`);
    }
  assert.deepEqual(faults, []);
  report('regular expressions', `each of ${verdicts.size} linear by recheck`);
});
