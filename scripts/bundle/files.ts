import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { entryPoint, manifest } from './manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the bundle by their names: the manifest, the bridge with all that it imports in one file, and the licences. */
export async function bundleFiles(): Promise<Record<string, string>> {
  const build = await rolldown({
    cwd: root,
    input: 'src/bridge.ts',
    platform: 'node',
    transform: { target: 'node20' },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  const [chunk] = output;
  const missing = chunk.imports.filter((name) => !name.startsWith('node:'));
  if (output.length !== 1 || missing.length > 0)
    throw new Error(`src/bridge.ts does not fit into one file: ${missing.join(', ')}`);
  return {
    [entryPoint]: chunk.code,
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
    'LICENSES-OF-PACKAGES': licencesOf(Object.keys(chunk.modules)),
    'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
  };
}

/** The licences of the packages that modules are from, which each ask to be kept with the code. */
function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const name = folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
      if (file === undefined) throw new Error(`${name} has no licence to put into the bundle`);
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}
