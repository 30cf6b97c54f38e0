import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { accentsOf } from 'resume-profile/accent';
import { type Content, contentResponse } from '../compression.ts';

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
export type AssetPaths = ReturnType<ReturnType<typeof openAssets>['pathsFor']>;

/** The order of the parts of the style sheet. */
const styles = ['base.css', 'visitor.css', 'docs.css', 'desk.css', 'editor.css'];

const families = ['source-serif-4', 'source-sans-3', 'jetbrains-mono'];

/** Reads scripts, styles and fonts; `prefix` is the path of the public address, without a trailing slash. */
export function openAssets(prefix: string) {
  /** The files that pages refer to. Their names have a hash of their content, so clients may cache them forever. */
  const assets = new Map<string, Content>();
  function add(name: string, content: string | Uint8Array): string {
    const extension = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
    const body = new Uint8Array(Buffer.from(content));
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
    const path = `/assets/${name.slice(0, -extension.length - 1)}.${hash}.${extension}`;
    assets.set(path, { type: types[extension], body });
    return prefix + path;
  }

  const read = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.url), 'utf8');
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
  const rest = [...faces.map(({ css }) => css), ...styles.map(read)].join('\n');
  const [serif, sans, code] = faces.map(({ latin }) => latin) as [string, string, string];
  /** The Latin faces of text, and the face of code. */
  const fonts = { text: [serif, sans], code };
  let accentNow: string | undefined;
  let style = '';

  return {
    /** Returns the paths for pages in this accent, a colour such as `#0b5d6b`. */
    pathsFor(accent: string) {
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
      const headers = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' };
      return contentResponse(request, asset, new Headers(headers));
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
const imports =
  /((?:^|[;}\n])\s{0,9}(?:(?:import|export)\b[^'"();]{1,999}?\bfrom|import)\s{0,9})(["'])([^"'\n]{1,99})\2/g;

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
