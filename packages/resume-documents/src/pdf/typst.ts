import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importNative } from '../native-code.ts';

/** A sandboxed Typst compiler. It reads files anew for each call, and throws one line if a source is faulty. */
export interface Typst {
  /** The values of the metadata with a label, such as `<end>`. */
  valuesOf(source: Source, label: string): unknown[];
  /** The PDF/UA-1 of a source, or the characters that prevent it because no font has a glyph for them. */
  toPdf(source: Source): { pdf: Uint8Array<ArrayBuffer> } | { missingGlyphs: string[] };
  /** The pages of a source below each other. */
  toSvg(source: Source): string;
  /** Puts a file beside the source, in memory only; null removes it. */
  place(path: string, bytes: Buffer | null): void;
  /** Frees the compiler's cache between sources. */
  evictCache(): void;
}

/** A Typst file and its `sys.inputs`. */
export interface Source {
  readonly path: string;
  readonly inputs: Record<string, string>;
}

/** The files that Typst can read: the files of one folder, overlays as if in it, and the fonts in some folders. */
interface Sandbox {
  readonly folder: string;
  readonly overlays: readonly { path: string; text: Buffer }[];
  readonly fontFolders: readonly string[];
}

// These variables tell Typst where the fonts and packages of the machine and the network are.
const sandboxEnvironment = {
  FONTCONFIG_FILE: fileURLToPath(new URL('../fonts.conf', import.meta.url)),
  HOME: '/nonexistent',
  XDG_CACHE_HOME: '/nonexistent',
  XDG_DATA_HOME: '/nonexistent',
  HTTPS_PROXY: 'http://127.0.0.1:0',
  NO_PROXY: '',
};

/** Loads Typst. Rejects with advice if it is not installed for this platform. */
export const loadTypst = () =>
  importNative('@myriaddreamin/typst-ts-node-compiler', () => import('@myriaddreamin/typst-ts-node-compiler'));

/** Loads Typst, and opens a compiler that can read only the sandbox, not the machine or the network. */
export async function openTypst({ folder, overlays, fontFolders }: Sandbox): Promise<Typst> {
  const { NodeCompiler } = await loadTypst();
  const compiler = sandboxed(() =>
    NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [...fontFolders] }] }),
  );
  for (const { path, text } of overlays) compiler.mapShadow(path, text);
  const toArgs = ({ path, inputs }: Source) => ({ mainFilePath: path, inputs, resetRead: true });

  // The garbage collector frees compiled documents, but does not know their size; so only this function makes one.
  function faultOf(source: Source): Error {
    const error = sandboxed(() => compiler.compile(toArgs(source))).takeError();
    const [first] = error === null ? [] : (compiler.fetchDiagnostics(error) as Diagnostic[]);
    return new Error(first ? toLine(first, folder) : 'Typst does not say why');
  }
  return {
    valuesOf(source, label) {
      try {
        return sandboxed(() => compiler.query(toArgs(source), { selector: label, field: 'value' }));
      } catch {
        throw faultOf(source);
      }
    },
    toPdf(source) {
      try {
        const pdf = sandboxed(() => compiler.pdf(toArgs(source), { pdfStandard: 'ua-1' }));
        return { pdf: pdf as Buffer<ArrayBuffer> };
      } catch (error) {
        const refusal = (error as Error).message;
        const missingGlyphs = missingGlyphsIn(refusal);
        if (missingGlyphs.length > 0) return { missingGlyphs };
        const [, message] = /message: "(.*?[^\\])"/.exec(refusal) ?? [];
        throw message === undefined ? faultOf(source) : new Error(message);
      }
    },
    toSvg: (source) => sandboxed(() => compiler.plainSvg(toArgs(source))),
    place: (path, bytes) => (bytes === null ? compiler.unmapShadow(path) : compiler.mapShadow(path, bytes)),
    evictCache: () => compiler.evictCache(0),
  };
}

interface Diagnostic {
  readonly message: string;
  readonly path: string;
  /** Lines and characters count from 0. */
  readonly range: { start: { line: number; character: number } } | null;
}

function toLine({ message, path, range }: Diagnostic, folder: string): string {
  // An error of the whole document has no path.
  const file =
    path === ''
      ? ''
      : `${relative(folder, path)}${range ? `:${range.start.line + 1}:${range.start.character + 1}` : ''}: `;
  return `${file}${message.replaceAll(`${folder}/`, '')}`.replace(/\s+/g, ' ');
}

/** The characters that Typst's error quotes, escaped once by Typst and once more by the binding. */
function missingGlyphsIn(refusal: string): string[] {
  const quoted = Array.from(refusal.matchAll(/(?:the text|disallowed codepoint) `\\"([^`]+)\\"`/g), ([, text]) =>
    text!.replace(/(?<!\\)\\+u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  const characters = quoted.flatMap((text) => Array.from(text));
  // A letter is quoted together with a combining mark that lacks a glyph; the letter itself may have one.
  const marks = characters.filter((character) => /\p{M}/u.test(character));
  return marks.length > 0 ? marks : characters;
}

/** Runs an action in the sandbox's environment, which Typst reads when it opens and at each compilation. */
function sandboxed<Result>(action: () => Result): Result {
  const before = Object.keys(sandboxEnvironment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, sandboxEnvironment);
  try {
    return action();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
