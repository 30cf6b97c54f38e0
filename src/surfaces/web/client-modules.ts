import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';

/** Static imports and exports of a module: what stands before the quoted name, and the name. */
const imports = /((?:^|[;}\n])\s*(?:(?:import|export)\b[^'"();]*?\bfrom|import)\s*)(["'])([^"'\n]+)\2/g;

/** A package that has its ES module beside the file that its name leads to. */
const besides: Record<string, string> = { sortablejs: 'sortablejs/modular/sortable.esm.js' };

/**
 * Adds a module of the editor and its imports, in a checkout, which has no bundle of them: without its types, and with imports
 * by the paths that `add` returns. Imports lead to no cycle, as the tests of the architecture require.
 */
export function addModule(
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
