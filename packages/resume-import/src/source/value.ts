/** A non-empty scalar of the input and its fate. It begins as not carried over, so the loss report misses nothing. */
export type Leaf = ReturnType<typeof toLeaf>;

/** A text that may go into the profile, with the leaves it is made of and the changes made to each so far. */
export interface Value {
  readonly text: string;
  readonly parts: readonly { leaf: Leaf; changes: readonly string[]; isPartial?: boolean }[];
}

/** Why a value is not carried over, if nothing more can be said of it. */
export const noField = 'The profile has no field for it';
export const layoutReason = 'It is about the layout of the page, not about you';
export const privateReason = 'It is private';

/** Makes the leaf at a location such as `work[0].position` or `Positions.csv:3: Title`. */
export const toLeaf = (where: string, text: string) => ({
  where,
  text,
  /** The changes made to it; empty if it is carried over unchanged, null if it is not carried over. */
  changes: null as Set<string> | null,
  why: noField,
  /** False if it says nothing of the person: the layout of a page, the version of a file, an id. */
  isContent: true,
  /** Whether a part of its text is left out where it is carried over. */
  isPartial: false,
  /** Whether the notes of the profile have it as it is written. */
  isNoted: false,
  /** Whether its text only says how much of the input is not read. */
  isAmount: false,
});

export const toValue = (leaf: Leaf): Value => ({ text: leaf.text, parts: [{ leaf, changes: [] }] });

/** A text that the source does not have as a value, such as the name of a field. */
export const literal = (text: string): Value => ({ text, parts: [] });

/** A value after a change; the loss report says `how` after the location and the old text. */
export const changed = (value: Value, how: string, text = value.text): Value => ({
  text,
  parts: value.parts.map((part) => ({ ...part, changes: [...part.changes, how] })),
});

/** A value after a change that leaves a part of its text out. */
export const reduced = (value: Value, how: string, text = value.text): Value => ({
  text,
  parts: changed(value, how).parts.map((part) => ({ ...part, isPartial: true })),
});

/** Joins several values into one, which is a change. A single value stays as it is; undefined if there are none. */
export function joined(values: readonly (Value | undefined)[], separator: string, how: string): Value | undefined {
  const texts = values.filter((value) => value !== undefined);
  if (texts.length < 2) return texts[0];
  return {
    text: texts.map(({ text }) => text).join(separator),
    parts: texts.flatMap((value) => changed(value, how).parts),
  };
}

/** Returns the text of a value for the profile. Only this marks its leaves as carried over or changed. */
export function take({ text, parts }: Value): string {
  for (const { leaf, changes, isPartial = false } of parts) {
    leaf.changes = new Set([...(leaf.changes ?? []), ...changes]);
    leaf.isPartial ||= isPartial;
  }
  return text;
}

export function omit({ parts }: Value, why: string): undefined {
  for (const { leaf } of parts) leaf.why = why;
}

/** Sets the reason why a value, which says nothing of the person, is not carried over. */
export function exclude({ parts }: Value, why: string): undefined {
  for (const { leaf } of parts) Object.assign(leaf, { why, isContent: false });
}

/** Shortens a text to one line of at most 80 characters. */
export function shortened(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}
