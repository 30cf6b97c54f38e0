import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleCode, licencesOf, root } from './code.ts';
import { entryPoint, manifest } from './manifest.ts';

/** The files of the bundle by their names: the manifest, the bridge with all that it imports in one file, and the licences. */
export async function bundleFiles(): Promise<Record<string, string>> {
  const input = { input: 'src/bridge.ts', platform: 'node', transform: { target: 'node20' } } as const;
  const chunks = await bundleCode(input, { minify: true });
  const missing = chunks.flatMap(({ imports }) => imports).filter((name) => !name.startsWith('node:'));
  if (chunks.length !== 1 || missing.length > 0)
    throw new Error(`src/bridge.ts does not fit into one file: ${missing.join(', ')}`);
  return {
    [entryPoint]: chunks[0]!.code,
    LICENSE: readFileSync(join(root, 'LICENSE'), 'utf8'),
    'LICENSES-OF-PACKAGES': licencesOf(chunks),
    'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
  };
}
