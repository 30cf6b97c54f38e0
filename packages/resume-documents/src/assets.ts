import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { familiesOf } from './pdf/font-names.ts';
import { fontPackages } from './pdf/pdf-warnings.ts';

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url));

/** Returns the path of a template that is included, such as `classic.typ`. */
export const templatePath = (name: string): string => pathOf(`./templates/${name}`);

/** Returns the files that themes import; a file that the folder has itself is left out. */
export const missingParts = (folder: string): { readonly path: string; readonly text: Buffer }[] =>
  ['resume.typ', 'layout.typ']
    .map((name) => ({ path: join(folder, name), included: templatePath(name) }))
    .filter(({ path }) => !existsSync(path))
    .map(({ path, included }) => ({ path, text: readFileSync(included) }));

/** The styles of a family in a PDF, each in a folder of the family's package. */
const styles = ['400Regular', '400Regular_Italic', '600SemiBold', '600SemiBold_Italic'];

/** The families that `npm pack` copies because their packages have many more styles, with the styles that a PDF uses. */
export const copiedFamilies: Readonly<Record<string, readonly string[]>> = {
  'ibm-plex-sans': styles,
  'ibm-plex-serif': styles,
  'eb-garamond': styles,
  roboto: styles,
  'roboto-slab': styles,
  'noto-emoji': ['400Regular'],
};

/** Lists the folders of the included fonts, except those that Typst has itself. */
export function fontFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const folderOf = (name: string) => dirname(resolve(name));
  const facesOf = (family: string) =>
    (copiedFamilies[family] ?? styles)
      .map((style) => join(folderOf(`@expo-google-fonts/${family}`), style))
      .filter((path) => existsSync(path));
  const copies = pathOf('./fonts');
  return [
    join(folderOf('@embedpdf/fonts-latin'), '../fonts'),
    ...['source-sans-3', 'source-serif-4'].flatMap(facesOf),
    ...(existsSync(copies) ? [copies] : Object.keys(copiedFamilies).flatMap(facesOf)),
  ];
}

interface InstalledFont {
  readonly name: string;
  readonly family: string;
  readonly folder: string;
}

/** Lists the packages of faces for further scripts that are installed with this one, or in the working folder. */
export function installedFonts(workingFolder = process.cwd()): InstalledFont[] {
  const requires = [import.meta.url, join(workingFolder, 'package.json')].map((from) => createRequire(from));
  return fontPackages.flatMap(({ name, family }) => {
    for (const { resolve } of requires) {
      try {
        return [{ name, family, folder: join(dirname(resolve(name)), '../fonts') }];
      } catch {
        // The package is not installed there.
      }
    }
    return [];
  });
}

/** Lists the families of the OpenType fonts in a folder and below it, sorted. Other files are ignored. */
export function fontFamiliesIn(folder: string): string[] {
  const paths = globSync('**/*.{ttf,otf,ttc,otc,TTF,OTF,TTC,OTC}', { cwd: folder }).map((path) => join(folder, path));
  const fonts = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return [...new Set(fonts.flatMap((path) => familiesOf(readFileSync(path))))].sort();
}
