import type { Run } from './prose.ts';

/** Writes runs with their marks; adjacent runs with the same mark share one pair of marks. */
export function toMarkedText(
  runs: readonly Run[],
  notation: { readonly text: (text: string) => string; readonly address: (url: string) => string },
): string {
  const [first, ...others] = runs;
  if (first === undefined) return '';
  const marks = (['url', 'isStrong', 'isEmphasis'] as const)
    .filter((mark) => first[mark] !== undefined)
    .map((mark) => {
      const end = runs.findIndex((run) => run[mark] !== first[mark]);
      return { mark, length: end === -1 ? runs.length : end };
    })
    .sort((one, other) => other.length - one.length);
  const [widest] = marks;
  if (widest === undefined) {
    const own = first.isCode ? toCode(first.text) : notation.text(first.text);
    return own + toMarkedText(others, notation);
  }
  const { mark, length } = widest;
  const inner = runs.slice(0, length).map(({ [mark]: _, ...run }): Run => run);
  const text = toMarkedText(inner, notation);
  const sign = mark === 'isStrong' ? '**' : '*';
  const marked = mark === 'url' ? `[${text}](${notation.address(first.url!)})` : `${sign}${text}${sign}`;
  return marked + toMarkedText(runs.slice(length), notation);
}

/** Writes code between more backticks than it has in a row. */
function toCode(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([signs]) => signs.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}
