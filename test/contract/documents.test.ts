import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { createProgram } from '../../src/commands/command-line.ts';
import type { Io } from '../../src/commands/terminal.ts';

// `npm run check` compares the parts that are printed from code.

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** A superseded decision names the files and commands of its time. */
const documents = globSync(['*.md', 'docs/*.md', 'docs/{adr,evidence}/*.md', 'deploy/*.md'], { cwd: root })
  .filter((path) => path !== 'CHANGELOG.md')
  .map((path) => ({ path, text: read(path) }))
  .filter(({ text }) => !/^Superseded /m.test(text));

/** The paths that `src/{a,b}` stands for. */
function expand(path: string): string[] {
  const [, head = '', names, tail = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => head + name + tail);
}

test('every file and folder that a document names or links to exists', () => {
  const missing = documents.flatMap(({ path: document, text }) => {
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => join(dirname(document), path!));
    // `file=` is the file that a reader is asked to add.
    const named = text.match(/(?<![\w/.=-])(src|test|scripts|docs|examples|bench)\/[\w./{},-]*\w\}?/g) ?? [];
    const paths = [...linked, ...named.flatMap(expand)].filter((path) => !existsSync(join(root, path)));
    return paths.map((path) => `${document}: ${path}`);
  });
  assert.deepEqual(missing, []);
});

test('every command that a document names is one', () => {
  const has = ({ commands }: Command, [name = '', ...words]: readonly string[]): boolean => {
    const command = commands.find((one) => one.name() === name);
    if (command === undefined) return false;
    const isLast = command.commands.length === 0 || command.registeredArguments.length > 0 || words.length === 0;
    return isLast || has(command, words);
  };
  const program = createProgram({ ...process, env: {} } as unknown as Io);
  const wrong = documents.flatMap(({ path, text }) => {
    const runs = [...text.matchAll(/\bnpm run (\w[\w:-]*)/g)].filter(([, name]) => !(name! in packageJson.scripts));
    const called = [
      ...text.matchAll(/\b(?:npx candidate-profile|npm run --silent cli --|npm run cli --) ([a-z][\w -]*)/g),
    ];
    const unknown = called.filter(
      ([, words]) =>
        !has(
          program,
          words!
            .trim()
            .split(' ')
            .filter((word) => /^[a-z]/.test(word))
            .slice(0, 2),
        ),
    );
    return [...runs, ...unknown].map(([text]) => `${path}: ${text}`);
  });
  assert.deepEqual(wrong, []);
});

test('each decision in docs/adr has a number of its own, which its title repeats', () => {
  const numbers = globSync('docs/adr/*.md', { cwd: root }).map((path) => [
    Number(/\/(\d+)-/.exec(path)?.[1]),
    Number(/^# (\d+)\. /.exec(read(path))?.[1]),
  ]);
  assert.equal(new Set(numbers.map(([number]) => number)).size, numbers.length);
  for (const [number, ofTitle] of numbers) assert.equal(number, ofTitle);
});
