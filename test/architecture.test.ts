import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { operations } from '../src/operations/index.ts';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The files of the service, with their paths in `src`. */
const files = globSync('**/*.ts', { cwd: join(root, 'src') }).map((path) => ({
  path,
  folder: path.includes('/') ? path.split('/')[0]! : path,
  source: read(`src/${path}`),
}));

const packages = ['resume-profile', 'resume-import', 'resume-documents'];
/** The files of the packages; a path is as another package imports it. */
const packageFiles = packages.flatMap((name) =>
  globSync('**/*.ts', { cwd: join(root, 'packages', name, 'src') }).map((path) => ({
    path: `${name}/${path}`,
    folder: name,
    source: read(`packages/${name}/src/${path}`),
  })),
);

/** The folders that the files of a folder may import, besides packages; folders not listed may import everything. */
const mayImport: Record<string, RegExp> = {
  'resume-profile': /^resume-profile\//,
  'resume-import': /^resume-(profile|import)\//,
  'resume-documents': /^resume-(profile|documents)\//,
  model: /^(model|resume-profile)\//,
  operations: /^(model|operations|resume-profile)\//,
  surfaces: /^((model|operations|surfaces|resume-\w+)\/|profile-schema\.ts$)/,
  adapters: /^((model|adapters|resume-\w+)\/|(operations\/ports|profile-schema)\.ts$)/,
  service: /^(?!commands\/|main\.ts)/,
  'client.ts': /^(model|operations)\//,
};

/** The owner's operations run on one set of adapters: what they need of it has the types of the adapters. */
const withTypesOfAdapters = 'operations/owner/services.ts';
const typesOfAdapters = /^import type \{[^}]*\} from '(\.\.\/)+adapters\/.*;$/gm;

const importsOf = ({ path, source }: (typeof files)[number]) =>
  [...source.matchAll(/(?:from|import)\s*\(?\s*'((?:\.|resume-)[^']+)'/g)].map(([, target]) =>
    target!.startsWith('.') ? normalize(join(dirname(path), target!)) : `${target}.ts`,
  );

test('each folder imports only what the table allows', () => {
  const violations = [...files, ...packageFiles].flatMap((file) => {
    const allowed = mayImport[file.folder];
    const { path, source } = file;
    const judged = path === withTypesOfAdapters ? { ...file, source: source.replaceAll(typesOfAdapters, '') } : file;
    return allowed
      ? importsOf(judged).flatMap((target) => (allowed.test(target) ? [] : [`${file.path} imports ${target}`]))
      : [];
  });
  assert.deepEqual(violations, []);
});

test('no files import each other in a cycle', () => {
  const all = [...files, ...packageFiles];
  const imports = new Map(all.map((file) => [file.path, importsOf(file)]));
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (finished.has(path) || trail.includes(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of all) visit(path, []);
  assert.deepEqual(cycles, []);
});

test('the client and the editor run in a browser: nothing they import needs Node', () => {
  const parts = new Map<string, string>();
  const add = (path: string, isWithoutTypes: boolean): void => {
    const file = [...files, ...packageFiles].find((one) => one.path === path)!;
    if (parts.has(path)) return;
    const source = isWithoutTypes ? file.source.replaceAll(/^import type [^;]*;$/gm, '') : file.source;
    parts.set(path, source);
    for (const target of importsOf({ ...file, source })) add(target, isWithoutTypes);
  };
  add('client.ts', false);
  for (const { path } of files.filter(({ path }) => path.startsWith('surfaces/web/desk/editor/client/')))
    add(path, true);
  const violations = [...parts].flatMap(([path, source]) =>
    [
      ...source
        .replaceAll(/\/\*\*.*?\*\/|\/\/.*$/gms, '')
        .matchAll(/'node:\w+|\b(?:Buffer|process|setImmediate|require)\b/g),
    ].map(([found]) => `${path}: ${found}`),
  );
  assert.deepEqual(violations, []);
});

test('a command loads database, surfaces, PDF and parsers of documents only in its action, to start fast', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createProgram } = await import('${new URL('../src/commands/command-line.ts', import.meta.url)}');
    createProgram(process);
    console.log(JSON.stringify(loaded));`;
  const args = ['--input-type=module', '--eval', program];
  const urls: string[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const loaded = urls.filter((url) => url.includes('/src/')).map((url) => url.split('/src/').at(-1)!);
  assert.ok(loaded.includes('commands/keys.ts'));
  assert.deepEqual(
    loaded.filter((path) => /^(surfaces|adapters\/(store|document|pdf|mail|oauth|http))\//.test(path)),
    [],
  );
});

test('the library for Word, which blocks a thread while it loads, is loaded by the printing process only', () => {
  const folder = 'resume-documents/docx/';
  const importers = [...files, ...packageFiles].filter(
    (file) => !file.path.startsWith(folder) && importsOf(file).some((target) => target.startsWith(folder)),
  );
  assert.deepEqual(
    importers.map(({ path }) => path),
    ['adapters/pdf/print-process.ts', 'resume-documents/resume-documents.ts'],
  );
});

test('the model imports no package except zod and resume-profile', () => {
  const imported = files
    .filter(({ folder }) => folder === 'model')
    .flatMap(({ source }) =>
      [...source.matchAll(/^import .*from '([^.'][^']*)'/gm)].map(([, name]) => name!.split('/')[0]!),
    )
    .filter((name) => !name.startsWith('node:'));
  assert.deepEqual([...new Set(imported)].sort(), ['resume-profile', 'zod']);
});

test('the packages read no file, open no socket and start no process, except in assets.ts', () => {
  const offences = packageFiles
    .filter(({ path }) => path !== 'resume-documents/assets.ts')
    .flatMap(({ path, source }) =>
      [...source.matchAll(/'node:(?:fs|net|http|https|child_process|worker_threads)\b[^']*'/g)].map(
        ([found]) => `${path}: ${found}`,
      ),
    );
  assert.deepEqual(offences, []);
});

test('a package depends on what it imports, in the versions of the service, which installs them for all', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  for (const name of packages) {
    const manifest = JSON.parse(read(`packages/${name}/package.json`));
    const imported = packageFiles
      .filter(({ folder }) => folder === name)
      .flatMap(({ source }) => [...source.matchAll(/^import .*from '((?:@[^/']+\/)?[^.'/][^/']*)/gm)])
      .map(([, target]) => target!)
      .filter((target) => !target.startsWith('node:') && target !== name);
    const others = Object.keys(manifest.dependencies).filter((each) => !packages.includes(each));
    for (const each of new Set(imported)) assert.ok(each in manifest.dependencies, `${name} imports ${each}`);
    for (const each of others) assert.equal(manifest.dependencies[each], dependencies[each], `${name}: ${each}`);
  }
});

test('only one file converts an address to its canonical spelling, and the search for readers', () => {
  assert.deepEqual(
    files
      .filter(({ source }) => /import [^;]*\btoCanonicalAddress\b/.test(source))
      .map(({ path }) => path)
      .sort(),
    ['adapters/store/readers.ts', 'model/visitor.ts'],
  );
});

const linesOf = ({ source }: (typeof files)[number]) => source.trimEnd().split('\n').length;

test('no file is longer than 400 lines', () => {
  assert.deepEqual(
    [...files, ...packageFiles].filter((file) => linesOf(file) > 400).map(({ path }) => path),
    [],
  );
});

const fileOf = ({ rest }: (typeof operations)[number]) => `operations/${rest.path.split('/')[1]}.ts`;

/** Why a file under 60 lines stands alone although one file imports it, of the same folder. */
const standsAlone: readonly (readonly [reason: string, ...paths: readonly string[]])[] = [
  [
    'Each command is in the file that has its name.',
    ...['call', 'desk', 'mcp', 'migrate-store', 'openapi'].map((name) => `commands/${name}.ts`),
  ],
  ['Each topic is wired in the file that has its name.', 'service/access.ts', 'service/mail.ts', 'service/mcp.ts'],
  ['Tests of pages read resumes without the process that imports it.', 'adapters/document/read-resume.ts'],
  ['Tests read it without a browser.', 'surfaces/web/desk/editor/client/yaml-keys.ts'],
];

test('a file under 60 lines that only a file of its folder imports is part of that file, or has a reason', (t) => {
  const importers = new Map<string, string[]>();
  const all = [...files, ...packageFiles];
  for (const file of all)
    for (const target of new Set(importsOf(file))) importers.set(target, [...(importers.get(target) ?? []), file.path]);
  const small = all.flatMap((file) => {
    const [importer, ...others] = importers.get(file.path) ?? [];
    const hasSibling = importer !== undefined && others.length === 0 && dirname(importer) === dirname(file.path);
    return hasSibling && linesOf(file) < 60 ? [{ path: file.path, importer }] : [];
  });
  const paths = small.map(({ path }) => path);
  const reasons = new Map(standsAlone.flatMap(([reason, ...listed]) => listed.map((path) => [path, reason])));
  const operationFiles = operations.map(fileOf);
  const reasonOf = (path: string) =>
    operationFiles.includes(path) ? 'Each operation is in the file of its first path segment.' : reasons.get(path);

  for (const path of paths) t.diagnostic(`${path}: ${reasonOf(path) ?? 'no reason'}`);
  const unexplained = small
    .filter(({ path }) => reasonOf(path) === undefined)
    .map(({ path, importer }) => `Merge ${path} into ${importer}, or say in standsAlone why it is a file of its own`);
  assert.deepEqual(unexplained, []);
  const gone = [...reasons.keys()].filter((path) => !paths.includes(path));
  assert.deepEqual(gone, [], 'remove these entries from standsAlone');
});

test("nothing but the catalogue and the visitor's page, which is written for people, names an operation", () => {
  const names = operations.flatMap(({ name }) => [name, name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())]);
  const violations = files
    .filter(
      ({ folder, path }) => !['operations', 'model'].includes(folder) && path !== 'surfaces/web/visitor/visitor.ts',
    )
    .flatMap(({ path, source }) =>
      // The client's comment shows what a method looks like.
      names
        .filter((name) => new RegExp(`\\b${name}\\b`).test(source.replaceAll(/^\/\*\* .*$/gm, '')))
        .map((name) => `${path}: ${name}`),
    );
  assert.deepEqual(violations, []);
});

test('each operation is exported under its name in camelCase, from the file of its first path segment', () => {
  for (const operation of operations) {
    const { name } = operation;
    const exported = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const file = files.find(({ path }) => path === fileOf(operation));
    assert.match(file?.source ?? '', new RegExp(`export const ${exported} = operation\\(`), name);
  }
});

test('no file has a vague name', () => {
  const vague = /(^|\/)(utils?|helpers?|common|managers?|types)(\/|\.ts$)/;
  assert.deepEqual(
    files.filter(({ path }) => vague.test(path)).map(({ path }) => path),
    [],
  );
});

test('each file that is tested by mutation has its tests listed', async () => {
  const { suites } = await import('../scripts/mutation-suites.ts');
  assert.ok(suites.every(({ files, tests }) => files.length > 0 && tests.length > 0));
});
