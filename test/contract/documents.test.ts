import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The paths that `src/{a,b}` stands for. */
function expand(path: string): string[] {
  const [, head = '', names, tail = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => head + name + tail);
}

test('every file and folder that a document names exists', () => {
  const documents = globSync(['*.md', 'docs/*.md', 'docs/{adr,evidence}/*.md'], { cwd: root }).filter(
    // A superseded decision names the files of its time.
    (path) => !/^Superseded /m.test(read(path)),
  );
  const missing = documents.flatMap((document) => {
    const text = read(document);
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => join(dirname(document), path!));
    // `file=` is the file that a reader is asked to add.
    const named = text.match(/(?<![\w/.=-])(src|test|scripts|docs|examples|bench)\/[\w./{},-]*\w\}?/g) ?? [];
    const paths = [...linked, ...named.flatMap(expand)].filter((path) => !existsSync(join(root, path)));
    return paths.map((path) => `${document}: ${path}`);
  });
  assert.deepEqual(missing, []);
});

test('CONTEXT.md defines each term once', () => {
  const terms = [...read('CONTEXT.md').matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, term]) => term!);
  assert.ok(terms.length > 40);
  assert.deepEqual(terms.toSorted(), [...new Set(terms)].toSorted());
});

test('each decision in docs/adr has a number of its own, which its title repeats', () => {
  const numbers = globSync('docs/adr/*.md', { cwd: root })
    .sort()
    .map((path) => [Number(/\/(\d+)-/.exec(path)?.[1]), Number(/^# (\d+)\. /.exec(read(path))?.[1])]);
  assert.equal(new Set(numbers.map(([number]) => number)).size, numbers.length);
  for (const [number, ofTitle] of numbers) assert.equal(number, ofTitle);
});
