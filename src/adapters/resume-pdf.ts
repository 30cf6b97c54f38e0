import { fileURLToPath } from 'node:url';
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { Profile } from '../model/profile-document.ts';

/**
 * What prints a resume: a tagged PDF (PDF/UA-1), the same bytes for the same profile, rendered once a profile object.
 * It rejects with Typst's diagnostics in one line. The compiler is loaded when it is first needed.
 */
export function openResumePdf(): (profile: Profile) => Promise<Uint8Array> {
  let compiler: Promise<NodeCompiler> | undefined;
  const printed = new WeakMap<Profile, Promise<Uint8Array>>();
  return (profile) => {
    const known = printed.get(profile);
    if (known) return known;
    compiler ??= openCompiler();
    const pdf = compiler.then((opened) => print(opened, profile));
    printed.set(profile, pdf);
    return pdf;
  };
}

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url));
const template = pathOf('./resume.typ');

/** A compiler that knows the fonts of this package's own dependency and, FONTCONFIG_FILE being read as it opens, no others. */
async function openCompiler(): Promise<NodeCompiler> {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler');
  const { FONTCONFIG_FILE } = process.env;
  process.env.FONTCONFIG_FILE = pathOf('./resume-fonts.conf');
  try {
    return NodeCompiler.create({
      workspace: pathOf('.'),
      fontArgs: [{ fontPaths: [pathOf(new URL('../fonts', import.meta.resolve('@embedpdf/fonts-latin')).href)] }],
    });
  } finally {
    if (FONTCONFIG_FILE === undefined) delete process.env.FONTCONFIG_FILE;
    else process.env.FONTCONFIG_FILE = FONTCONFIG_FILE;
  }
}

/** Prints; where that is refused, learns which characters have no glyph and prints again with U+FFFD in their place. */
function print(compiler: NodeCompiler, { candidate, experience, projects, resume }: Profile): Uint8Array {
  const glyphless = new Set<string>();
  const toPrintable = (_key: string, value: unknown) =>
    typeof value === 'string'
      ? Array.from(value.toWellFormed(), (character) => (glyphless.has(character) ? '\u{fffd}' : character)).join('')
      : value;
  try {
    for (;;) {
      const profile = JSON.stringify({ candidate, experience, projects, resume }, toPrintable);
      const compiled = compiler.compile({ mainFilePath: template, inputs: { profile } });
      if (!compiled.result) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics));
      try {
        return compiler.pdf(compiled.result, { pdfStandard: 'ua-1' });
      } catch (error) {
        const found = glyphlessIn((error as Error).message).filter((character) => !glyphless.has(character));
        // So each round has one character less to find, or is the last.
        if (found.length === 0) throw error;
        for (const character of found) glyphless.add(character);
      }
    }
  } finally {
    compiler.evictCache(0);
  }
}

/** The characters that Typst's refusal quotes, escaped once by Typst and once more around it. */
function glyphlessIn(refusal: string): string[] {
  const quoted = Array.from(refusal.matchAll(/(?:the text|disallowed codepoint) `\\"(.+?)\\"`/g), ([, text]) =>
    text!.replace(/\\+u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  const characters = quoted.flatMap((text) => Array.from(text));
  // A letter is quoted along with the mark on it that is lacking, and may be fine without.
  const marks = characters.filter((character) => /\p{M}/u.test(character));
  return marks.length > 0 ? marks : characters;
}
