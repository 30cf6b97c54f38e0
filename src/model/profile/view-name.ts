/** Returns the Latin letters and digits of a text in lower case, with hyphens between them; empty if it has none. */
export const slugOf = (text: string, maxLength: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '');

/** Returns a name that is not taken: `base`, or `base` with a number after it. */
export function freeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base;
  for (let number = 2; isTaken(name); number++) name = `${base}-${number}`;
  return name;
}

/** Returns the name of a new view for somebody, such as a company. */
export const toViewName = (text: string, views: object): string =>
  freeName(slugOf(text, 36) || 'version', (name) => name in views || name === 'all' || name === 'public');
