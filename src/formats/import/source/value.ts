/** One non-empty scalar of the input and what became of it. It starts as not carried over, so nothing can vanish unsaid. */
export interface Leaf {
  /** Its place, such as `work[0].position` or `Positions.csv:3: Title`. */
  readonly where: string;
  readonly text: string;
  /** What was done to it on its way into the profile, empty where it stands there as it is; null while it is not carried over. */
  changes: Set<string> | null;
  /** Why it is not carried over. */
  why: string;
}

/** A text on its way into the profile, with the leaves it was made of and what was done to each so far. */
export interface Value {
  readonly text: string;
  readonly parts: readonly { leaf: Leaf; changes: readonly string[] }[];
}

export const noField = 'The profile has no field for it';

export const toLeaf = (where: string, text: string): Leaf => ({ where, text, changes: null, why: noField });

/** The text of a leaf, nothing done to it yet. */
export const toValue = (leaf: Leaf): Value => ({ text: leaf.text, parts: [{ leaf, changes: [] }] });

/** A value with something done to it, or with another text; `how` ends a line that begins with the place and the old text. */
export const changed = (value: Value, how: string, text = value.text): Value => ({
  text,
  parts: value.parts.map(({ leaf, changes }) => ({ leaf, changes: [...changes, how] })),
});

/** Several values as one, changed by that; one alone stays as it is, none is undefined. */
export function joined(values: readonly (Value | undefined)[], separator: string, how: string): Value | undefined {
  const given = values.filter((value) => value !== undefined);
  if (given.length < 2) return given[0];
  return {
    text: given.map(({ text }) => text).join(separator),
    parts: given.flatMap((value) => changed(value, how).parts),
  };
}

/** The text of a value that goes into the profile: only here do its leaves become carried over or changed. */
export function take({ text, parts }: Value): string {
  for (const { leaf, changes } of parts) leaf.changes = new Set([...(leaf.changes ?? []), ...changes]);
  return text;
}

/** Says why a value does not go into the profile. */
export function leave({ parts }: Value, why: string): undefined {
  for (const { leaf } of parts) leaf.why = why;
}

/** A text on one line, of at most 80 characters. */
export function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}
