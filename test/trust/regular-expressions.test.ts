import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';
import { isFull, report } from '../support/figures.ts';

// In this process, without Java and without a program beside it.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const root = new URL('../../src/', import.meta.url).pathname;

interface Expression {
  /** `FILE:LINE`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** What a program writes down, and the places where it puts expressions together as it runs. */
function expressionsIn(file: string): { written: Expression[]; assembledAt: string[] } {
  const script = stripTypeScriptTypes(readFileSync(root + file, 'utf8'));
  const written: Expression[] = [];
  const assembledAt: string[] = [];
  full(parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true }), (node) => {
    const place = `${file}:${node.loc!.start.line}`;
    const { regex, callee } = node as Node & { regex?: { pattern: string; flags: string }; callee?: { name?: string } };
    if (regex !== undefined) written.push({ place, source: regex.pattern, flags: regex.flags });
    if (callee?.name === 'RegExp') assembledAt.push(place);
  });
  return { written, assembledAt };
}

/** What is put together while `run` runs, by the programs under src. */
async function assembledIn(run: () => Promise<void>): Promise<Expression[]> {
  const assembled: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given: [string, string]) {
      const made = new target(...given);
      const [, file, line] = /src\/(\S+):(\d+):\d+\)?$/.exec(new Error().stack!.split('\n')[2]!) ?? [];
      if (file !== undefined) assembled.push({ place: `${file}:${line}`, source: made.source, flags: made.flags });
      return made;
    },
  });
  await run().finally(() => {
    globalThis.RegExp = original;
  });
  return assembled;
}

/** The alternatives of an expression, which is as linear as each of them; only those at the top are told apart. */
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

/** A long repetition that has an end costs so many times more than a short one, and not a power more. */
const shortened = (source: string) => source.replace(/\{1,\d{3}\}/g, '{1,3}');

/** Counted in steps: by the clock, a slow machine would find fault with what is linear. A minute ends what never ends. */
const steps = { timeout: 60_000, attackTimeout: null, incubationTimeout: null };

const verdicts = new Map<string, string>();

/** `linear`, or what recheck says against it. */
function verdictOn(source: string, flags: string): string {
  const known = verdicts.get(`/${source}/${flags}`);
  if (known !== undefined) return known;
  const found = checkSync(shortened(source), flags, steps);
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
  // What only the owner's own files are read with is left to the full run.
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => isFull || !file.startsWith('formats/import/'));
  const found = files.map(expressionsIn);
  const assembled = await assembledIn(async () => {
    await import('../../src/formats/export/plain-text.ts');
    if (!isFull) return;
    await import('../../src/formats/import/readers/markdown.ts');
    const { withoutHtml } = await import('../../src/formats/import/readers/html.ts');
    withoutHtml({ text: '<ul><li>One</ul>', parts: [] });
  });
  assert.deepEqual(
    [...new Set(assembled.map(({ place }) => place))].sort(),
    found.flatMap(({ assembledAt }) => assembledAt).sort(),
    'make this test run what puts an expression together',
  );

  const faults = [...found.flatMap(({ written }) => written), ...assembled].flatMap(({ place, source, flags }) =>
    alternativesOf(source).flatMap((alternative) => {
      const verdict = verdictOn(alternative, flags);
      return verdict === 'linear' ? [] : [`${place}: /${alternative}/${flags}: ${verdict}`];
    }),
  );
  assert.deepEqual(faults, []);
  report('regular expressions', `each of ${verdicts.size} linear by recheck`);
});
