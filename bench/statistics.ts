/** The median of some values, the lowest and the highest. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the spread; the median of an even number of values is the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, low: sorted[0]!, high: sorted.at(-1)! };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median;

/** Returns the quotients of two series measured in the same rounds. */
export const ratiosOf = (values: readonly number[], references: readonly number[]): number[] =>
  values.map((value, round) => value / references[round]!);
