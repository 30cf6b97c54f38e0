import { distance } from 'fastest-levenshtein';

/** Returns the most similar name; null if it is more than `maxEdits` edits away or too different for its length. */
export function nearestName(word: string, names: readonly string[], maxEdits = 3): string | null {
  const [nearest] = names
    // A lower bound of the edits, computed first because a profile may have thousands of unknown keys.
    .filter((name) => Math.abs(name.length - word.length) <= maxEdits)
    .map((name) => ({ name, edits: countEdits(word, name) }))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest === undefined) return null;
  // Commander suggests by the same rule: more than 4 of 10 letters are equal.
  const isNear = nearest.edits <= maxEdits && nearest.edits < 0.6 * Math.max(word.length, nearest.name.length);
  return isNear ? nearest.name : null;
}

function countEdits(from: string, to: string): number {
  const edits = distance(from, to);
  // Two swapped letters are one slip of the fingers, but two edits by Levenshtein.
  const sorted = (word: string) => [...word].sort().join('');
  return edits === 2 && sorted(from) === sorted(to) ? 1 : edits;
}
