import { changed, type Value } from '../source/value.ts';

/** Splits a text such as `Mar 2021 - Present` into two dates. A single date is start and end; `since 2021` is a start only. */
export function toDateRange(value: Value | undefined): { start: Value | undefined; end: Value | undefined } {
  if (!value || value.text.length >= 100) return { start: value, end: value };
  const between = [...value.text.matchAll(separator)].find(
    ({ index, 0: { length } }) =>
      /\d{4}/.test(value.text.slice(0, index)) && /\S/.test(value.text.slice(index + length)),
  );
  if (!between) {
    const [, start, other] = /^(?:since|from)\s+(\S.*\d)$|^(.*\d{4})\s*[-–—]$/i.exec(value.text.trim()) ?? [];
    if (start === undefined && other === undefined) return { start: value, end: value };
    return { start: changed(value, 'read as the start', start ?? other), end: undefined };
  }
  const start = value.text
    .slice(0, between.index)
    .replace(/^from\s/i, '')
    .trim();
  const end = value.text.slice(between.index + between[0].length).trim();
  return {
    start: changed(value, 'split into start and end', start),
    end: changed(value, 'split into start and end', end),
  };
}

// A hyphen without spaces separates two dates only if it cannot be part of one.
const separator = /\s-\s|[–—]|\bto\b|\buntil\b|(?<=(?:^|[/. ])\d{4})-(?=\d{4}$|\d{1,2}[/.]\d{4}$|[a-z])/gi;
