import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { accentsOf } from 'resume-profile/accent';
import { type Content, contentResponse } from '../compression.ts';

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

/** The modules that improve pages; a page names the modules that it needs. */
export type Script = 'page.js' | 'docs.js' | 'desk.js' | 'editor.js';

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
      return { style, fonts, script: (name: Script) => paths.get(name)! };
    },

    /** Responds to a request for an asset; null if no asset has this path. */
    respond(request: Request): Response | null {
      const asset = assets.get(new URL(request.url).pathname);
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
