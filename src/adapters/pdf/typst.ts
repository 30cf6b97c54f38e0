import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Typst compiler in seclusion. Files are read anew each time; where a source cannot be set, why is thrown in one line. */
export interface Typst {
  /** The values of the metadata that has a label, such as `<end>`. */
  valuesOf(source: Source, label: string): unknown[];
  /** The PDF/UA-1 of a source, or the characters in its way, for which no font has a glyph. */
  toPdf(source: Source): { pdf: Uint8Array<ArrayBuffer> } | { glyphless: string[] };
  /** Lets go of what it keeps from one source to the next. */
  forget(): void;
}

/** A file to be set, and its `sys.inputs`. */
export interface Source {
  readonly path: string;
  readonly inputs: Record<string, string>;
}

/** What Typst is let to see: one folder, texts as if in it, and the fonts in some folders. */
export interface Sight {
  readonly folder: string;
  readonly texts: readonly { path: string; text: Buffer }[];
  readonly fontFolders: readonly string[];
}

// By these Typst would find the machine's fonts and packages, and packages in the network.
const seclusion = {
  FONTCONFIG_FILE: fileURLToPath(new URL('./fonts.conf', import.meta.url)),
  HOME: '/nonexistent',
  XDG_CACHE_HOME: '/nonexistent',
  XDG_DATA_HOME: '/nonexistent',
  HTTPS_PROXY: 'http://127.0.0.1:0',
  NO_PROXY: '',
};

/** Opens a compiler that sees nothing of the machine or the network but what it is let to see; only here is it loaded. */
export async function openTypst({ folder, texts, fontFolders }: Sight): Promise<Typst> {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler');
  const compiler = secluded(() =>
    NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [...fontFolders] }] }),
  );
  for (const { path, text } of texts) compiler.mapShadow(path, text);
  const toArgs = ({ path, inputs }: Source) => ({ mainFilePath: path, inputs, resetRead: true });

  // A compiled document is freed by the garbage collector, which does not know how large it is; so none is held but here.
  function faultOf(source: Source): Error {
    const error = secluded(() => compiler.compile(toArgs(source))).takeError();
    const [first] = error === null ? [] : (compiler.fetchDiagnostics(error) as Diagnostic[]);
    return new Error(first ? toLine(first, folder) : 'Typst does not say why');
  }
  return {
    valuesOf(source, label) {
      try {
        return secluded(() => compiler.query(toArgs(source), { selector: label, field: 'value' }));
      } catch {
        throw faultOf(source);
      }
    },
    toPdf(source) {
      try {
        const pdf = secluded(() => compiler.pdf(toArgs(source), { pdfStandard: 'ua-1' }));
        return { pdf: pdf as Buffer<ArrayBuffer> };
      } catch (error) {
        const refusal = (error as Error).message;
        const glyphless = glyphlessIn(refusal);
        if (glyphless.length > 0) return { glyphless };
        const [, message] = /message: "(.*?[^\\])"/.exec(refusal) ?? [];
        throw message === undefined ? faultOf(source) : new Error(message);
      }
    },
    forget: () => compiler.evictCache(0),
  };
}

interface Diagnostic {
  readonly message: string;
  readonly path: string;
  /** Counted from 0. */
  readonly range: { start: { line: number; character: number } } | null;
}

function toLine({ message, path, range }: Diagnostic, folder: string): string {
  const place = range ? `:${range.start.line + 1}:${range.start.character + 1}` : '';
  return `${relative(folder, path)}${place}: ${message.replaceAll(`${folder}/`, '')}`.replace(/\s+/g, ' ');
}

/** The characters that Typst's refusal quotes, escaped once by Typst and once more around it. */
function glyphlessIn(refusal: string): string[] {
  const quoted = Array.from(refusal.matchAll(/(?:the text|disallowed codepoint) `\\"([^`]+)\\"`/g), ([, text]) =>
    text!.replace(/(?<!\\)\\+u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  const characters = quoted.flatMap((text) => Array.from(text));
  // A letter is quoted along with the mark on it that is lacking, and may be fine without.
  const marks = characters.filter((character) => /\p{M}/u.test(character));
  return marks.length > 0 ? marks : characters;
}

/** Does a work in the environment of seclusion, which Typst reads when it opens, and for packages at each compilation. */
function secluded<Result>(work: () => Result): Result {
  const before = Object.keys(seclusion).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, seclusion);
  try {
    return work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
