import { readAsMeant } from 'resume-profile/as-meant';
import { YamlFault } from 'resume-profile/yaml/yaml';
import { LineCounter } from 'yaml';

/** A profile document as its text means it, valid or not. */
export type DocumentValues = Readonly<Record<string, unknown>>;

/** Returns the values of the text of a document; null if it is not a readable object. */
export function readValues(text: string): DocumentValues | null {
  try {
    const { value } = readAsMeant(text.replace(/^\ufeff/, ''), new LineCounter()).located;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DocumentValues) : null;
  } catch (error) {
    if (error instanceof YamlFault) return null;
    throw error;
  }
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner: unknown, key) => (inner as DocumentValues | null | undefined)?.[key], value);
}

/** Returns a copy of an object with another value at a path of keys; undefined removes the key. */
export function withValueAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): DocumentValues {
  const { [key!]: old, ...others } = (value ?? {}) as DocumentValues;
  const now = rest.length === 0 ? replacement : withValueAt(old, rest, replacement);
  if (now === undefined) return others;
  // An existing key keeps its place.
  return old === undefined ? { ...others, [key!]: now } : { ...(value as DocumentValues), [key!]: now };
}
