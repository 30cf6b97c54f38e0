import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { accentsOf } from 'resume-profile/accent';
import { type Compressible, compressible, compressibleResponse } from '../compression.ts';

/** A file that pages refer to. Its name has a hash of its content, so clients may cache it forever. */
interface Asset {
  readonly type: string;
  readonly body: Compressible;
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

/** The modules of the editor, each with all that it imports. A checkout has only their sources. */
export const clients = ['main.js', 'yaml.js'] as const;

/** The modules that improve pages; a page names the modules that it needs. */
export type Script = 'page.js' | 'docs.js' | 'desk.js' | (typeof clients)[number];

/** The paths of a page's assets, relative to the public address. */
export interface AssetPaths {
  readonly style: string;
  script(name: Script): string;
  /** The Latin faces of text, and the face of code. */
  readonly fonts: { readonly text: readonly string[]; readonly code: string };
}

/** The order of the parts of the style sheet. */
const styles = ['base.css', 'visitor.css', 'docs.css', 'desk.css', 'editor.css'];

const families = ['source-serif-4', 'source-sans-3', 'jetbrains-mono'];

/**
 * The system fonts that replace ours until these have loaded, each by its names and the scale at which a text of the sample is
 * as wide as in ours; `bold` is for weights from 600 on. Ascent and descent are our faces’.
 */
const standIns = [
  {
    ...{ variable: '--serif', family: 'Source Serif 4', generic: 'serif', ascent: 1.036, descent: 0.335 },
    regular: [
      [1.059, 'Georgia', 'Gelasio Regular'],
      [1.163, 'Times New Roman', 'Liberation Serif', 'Tinos Regular'],
      [0.995, 'Noto Serif', 'Noto Serif Regular'],
      [0.919, 'DejaVu Serif'],
    ],
    bold: [],
  },
  {
    ...{ variable: '--sans', family: 'Source Sans 3', generic: 'system-ui, sans-serif', ascent: 1.024, descent: 0.4 },
    regular: [
      [0.933, 'Arial', 'Liberation Sans', 'Arimo Regular'],
      [0.942, 'Roboto', 'Roboto Regular'],
      [0.888, 'Noto Sans', 'Noto Sans Regular'],
      [0.824, 'DejaVu Sans'],
    ],
    bold: [
      [0.893, 'Arial Bold', 'Liberation Sans Bold', 'Arimo Bold'],
      [0.95, 'Roboto Bold'],
      [0.86, 'Noto Sans Bold'],
      [0.749, 'DejaVu Sans Bold'],
    ],
  },
  {
    ...{ variable: '--mono', family: 'JetBrains Mono', generic: 'monospace', ascent: 1.02, descent: 0.3 },
    regular: [[1, 'Courier New', 'Liberation Mono', 'Cousine Regular', 'Droid Sans Mono', 'DejaVu Sans Mono']],
    bold: [],
  },
] as const;

/** Returns the rules of the fallback faces, and the variables that name them after ours. */
function standInRules(): string {
  const percent = (part: number) => `${(100 * part).toFixed(2)}%`;
  const faces = standIns.flatMap(({ family, ascent, descent, ...sizes }) =>
    (['regular', 'bold'] as const).flatMap((weight) =>
      sizes[weight].map(
        ([scale, ...names], index) =>
          `@font-face{font-family:"${family} ${index}";font-weight:${weight === 'bold' ? '600 900' : '400'};src:${names.map((name) => `local("${name}")`)};` +
          `size-adjust:${percent(scale)};ascent-override:${percent(ascent / scale)};descent-override:${percent(descent / scale)};line-gap-override:0%}`,
      ),
    ),
  );
  const variables = standIns.map(({ variable, family, regular, generic }) => {
    const names = [`${family} Variable`, ...regular.keys().map((index) => `${family} ${index}`)];
    return `${variable}:${names.map((name) => `"${name}"`)},${generic}`;
  });
  return `:root{${variables.join(';')}}\n${faces.join('\n')}`;
}

/** Reads scripts, styles and fonts; `prefix` is the path of the public address, without a trailing slash. */
export function openAssets(prefix: string) {
  const assets = new Map<string, Asset>();
  function add(name: string, content: string | Uint8Array): string {
    const extension = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
    const body = new Uint8Array(Buffer.from(content));
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
    const path = `/assets/${name.slice(0, -extension.length - 1)}.${hash}.${extension}`;
    const isCompressed = extension === 'woff2';
    assets.set(path, {
      type: types[extension],
      body: isCompressed ? { plain: body, encoded: null } : compressible(body),
    });
    return prefix + path;
  }

  const read = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.url), 'utf8');
  /** Adds a script and its imports. */
  const addScript = (name: string): string =>
    add(
      name,
      read(name).replace(/(?<= from ')\.\/([\w-]+\.js)(?=';)/g, (_, imported: string) => addScript(imported)),
    );
  const names = readdirSync(new URL('static/', import.meta.url)).filter((name) => name.endsWith('.js'));
  const paths = new Map(names.map((name) => [name, addScript(name)]));
  /** Adds the modules of the editor when one is first asked for. */
  function addClients(): void {
    for (const name of clients)
      if (!paths.has(name))
        paths.set(
          name,
          addModule(new URL(`desk/editor/client/${name.replace('.js', '.ts')}`, import.meta.url).href, add),
        );
  }
  const faces = families.map((family) => readFaces(family, add));
  const rest = [standInRules(), ...faces.map(({ css }) => css), ...styles.map(read)].join('\n');
  const [serif, sans, code] = faces.map(({ latin }) => latin) as [string, string, string];
  const fonts = { text: [serif, sans], code };
  let accentNow: string | undefined;
  let style = '';

  return {
    /** Returns the paths for pages in this accent, a colour such as `#0b5d6b`. */
    pathsFor(accent: string): AssetPaths {
      if (accent !== accentNow) {
        style = add('style.css', `${accentRule(accent)}\n${rest}`);
        accentNow = accent;
      }
      const script = (name: Script): string => {
        if (!paths.has(name)) addClients();
        return paths.get(name)!;
      };
      return { style, fonts, script };
    },

    /** Responds to a request for an asset; null if no asset has this path. */
    respond(request: Request): Response | null {
      const { pathname } = new URL(request.url);
      // Another process may have sent the page that names it.
      if (!assets.has(pathname) && pathname.endsWith('.js')) addClients();
      const asset = assets.get(pathname);
      if (asset === undefined) return null;
      return compressibleResponse(request, asset.body, {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
    },
  };
}

/** Returns the CSS rule that sets the accent of pages, a colour such as `#0b5d6b`. */
export function accentRule(accent: string): string {
  const { light, dark } = accentsOf(accent);
  return `:root{--accent:${light};--accent-dark:${dark}}`;
}

/** Adds the upright files of a family, one for each script, and returns their rules with the path of the Latin one. */
function readFaces(family: string, add: (name: string, content: Uint8Array) => string) {
  const sheet = createRequire(import.meta.url).resolve(`@fontsource-variable/${family}/wght.css`);
  const files = join(dirname(sheet), 'files');
  let latin = '';
  const css = readFileSync(sheet, 'utf8')
    // A face that loads late is used from the next page on: swapped in, it would move the text.
    .replaceAll('font-display: swap', 'font-display: optional')
    .replaceAll(/url\(\.\/files\/([\w-]+\.woff2)\)/g, (_, file: string) => {
      const path = add(file, readFileSync(join(files, file)));
      if (file.includes('-latin-wght')) latin = path;
      return `url(${path})`;
    });
  return { css, latin };
}

/** Static imports and exports of a module: what stands before the quoted name, and the name. */
const imports = /((?:^|[;}\n])\s*(?:(?:import|export)\b[^'"();]*?\bfrom|import)\s*)(["'])([^"'\n]+)\2/g;

/** A package that has its ES module beside the file that its name leads to. */
const besides: Record<string, string> = { sortablejs: 'sortablejs/modular/sortable.esm.js' };

/**
 * Adds a module of the editor and its imports, in a checkout, which has no bundle of them: without its types, and with imports
 * by the paths that `add` returns. Imports lead to no cycle, as the tests of the architecture require.
 */
function addModule(
  url: string,
  add: (name: string, content: string) => string,
  added = new Map<string, string>(),
): string {
  const known = added.get(url);
  if (known !== undefined) return known;
  const source = readFileSync(new URL(url), 'utf8');
  const code = url.endsWith('.ts') ? stripTypeScriptTypes(source) : source.replace(/\n\/\/# sourceMappingURL=.*/, '');
  const rewritten = code.replace(imports, (_, before: string, quote: string, name: string) => {
    const target = name.startsWith('.') ? new URL(name, url).href : import.meta.resolve(besides[name] ?? name, url);
    return `${before}${quote}${addModule(target, add, added)}${quote}`;
  });
  const path = add(basename(url).replace(/\.\w+$/, '.js'), rewritten);
  added.set(url, path);
  return path;
}
