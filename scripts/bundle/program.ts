import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copiedFamilies } from 'resume-documents/assets';
import { clients } from '../../src/surfaces/web/assets.ts';
import { bundleCode, root } from './code.ts';

type Chunks = Awaited<ReturnType<typeof bundleCode>>;

/** Packages that stay outside: they have native code, or are optional and not installed. */
const external = ['@myriaddreamin/typst-ts-node-compiler', '@resvg/resvg-js', 'pg-native'];

/** Bundles the commands into a folder at the root of the checkout, with the files that they read, and returns the chunks. */
export async function writeProgram(name: string): Promise<Chunks> {
  const folder = join(root, name);
  const processes = ['document/read-process', 'document/import-process', 'pdf/print-process'];
  const entries = ['src/main', ...processes.map((path) => `src/adapters/${path}`)];
  const input = Object.fromEntries(entries.map((path) => [path, `${path}.ts`]));
  const chunks = await bundleCode(
    { input, platform: 'node', external },
    {
      // Node loads a CommonJS module in half the time of an ES module, and of its own modules only what is used.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'src/[name]-[hash].cjs',
      // What every command loads is one file. What else several share is split by rolldown, so that each loads only its own.
      codeSplitting: { groups: [{ name: 'command-line', test: /\/src\/commands\/command-line\.ts$/ }] },
    },
  );
  writeChunks(name, chunks);
  for (const path of globSync('{src,packages/*/src}/**/*.*', { cwd: root, exclude: ['**/*.ts'] }))
    cpSync(join(root, path), join(folder, path));
  // Of two sources the service makes the client that it offers.
  for (const path of ['examples', 'profile.schema.json', 'src/client.ts', 'src/model/failure.ts'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  copyFonts(join(folder, 'packages/resume-documents/src/fonts'));
  return [...chunks, ...(await writeClients(name))];
}

/** Bundles the scripts of the editor, each into one file beside the scripts of other pages, and returns the chunks. */
async function writeClients(name: string): Promise<Chunks> {
  const chunks: Chunks = [];
  for (const client of clients) {
    const input = `src/surfaces/web/desk/editor/client/${client.replace('.js', '.ts')}`;
    chunks.push(...(await bundleCode({ input, platform: 'browser' }, { minify: true })));
    writeChunks(`${name}/src/surfaces/web/static`, [{ ...chunks.at(-1)!, fileName: client }]);
  }
  return chunks;
}

/** Copies the styles that a PDF has of the families whose packages are not installed with the package, and their licences. */
export function copyFonts(folder: string): void {
  for (const [family, styles] of Object.entries(copiedFamilies)) {
    const source = join(root, 'node_modules/@expo-google-fonts', family);
    for (const path of globSync(['LICENSE_FONT', ...styles.map((style) => `${style}/*.ttf`)], { cwd: source }))
      cpSync(join(source, path), join(folder, family, path));
  }
}

export function writeChunks(name: string, chunks: Chunks): void {
  for (const { fileName, code } of chunks) {
    const path = join(root, name, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}
