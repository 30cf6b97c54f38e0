/** Returns the most similar name; null if it is more than `maxEdits` edits away or too different for its length. */
export function nearestName(word: string, names: readonly string[], maxEdits = 3): string | null {
  const [nearest] = names
    // So many edits it takes at least; a profile may have thousands of unknown keys.
    .filter((name) => Math.abs(name.length - word.length) <= maxEdits)
    .map((name) => ({ name, edits: editDistance(word, name) }))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest === undefined) return null;
  // Commander suggests by the same rule: more than 4 of 10 letters are equal.
  const isNear = nearest.edits <= maxEdits && nearest.edits < 0.6 * Math.max(word.length, nearest.name.length);
  return isNear ? nearest.name : null;
}

/** Returns the edit distance: letters added, removed, replaced or swapped with their neighbour (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
