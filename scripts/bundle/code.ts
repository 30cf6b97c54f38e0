import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Warnings that only matter to minified programs, or are of a dynamic import of a loaded module. */
const harmless = ['EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT'];

/** In place of the way from the folder of a chunk to the root of the output. */
const toRoot = 'to-root:';

/** Gives each module its own path below the output as `import.meta.url`, by which it finds files. */
const moduleUrls: Plugin = {
  name: 'module-urls',
  transform(code, id) {
    if (![join(root, 'src/'), join(root, 'packages/')].some((folder) => id.startsWith(folder))) return null;
    const path = JSON.stringify(toRoot + relative(root, id).replace(/ts$/, 'js'));
    return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) => code.replaceAll(toRoot, '../'.repeat(fileName.split('/').length - 1) || './'),
};

/** Bundles programs with the packages that they import, and returns the chunks. Throws at a warning. */
export async function bundleCode(input: InputOptions, output: OutputOptions) {
  const build = await rolldown({
    cwd: root,
    plugins: [moduleUrls],
    onLog: (_level, { code, message }) => {
      // In a try block, unpdf looks for data of another build of pdf.js, which is not installed. Assets are resolved in checkouts.
      const isUnused =
        code === 'EMPTY_IMPORT_META' && /unpdf\/dist\/index\.mjs|src\/surfaces\/web\/assets\.ts/.test(message);
      if (!isUnused && !harmless.includes(code ?? '')) throw new Error(message);
    },
    ...input,
  });
  const bundle = await build.generate({ format: 'esm', comments: false, ...output });
  return bundle.output.filter((file) => file.type === 'chunk');
}

/** The licences of the packages that chunks have code from, which each ask to be kept with the code. */
export function licencesOf(chunks: Awaited<ReturnType<typeof bundleCode>>): string {
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${name} names no licence`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    const parts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [name, `Version ${version}, licence ${license}`, ...parts];
  });
  const sorted = texts.map((parts) => `${parts.join('\n\n')}\n`).sort();
  return [...new Set(sorted)].join(`\n${'-'.repeat(72)}\n\n`);
}
