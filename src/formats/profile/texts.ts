/** A string of a profile, with its path. */
export interface Text {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Returns every string in a value, in its order. */
export function textsOf(value: unknown, path: Text['path'] = []): Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, [...path, key]));
}
