/** The median of some values with the quartiles around it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the median and the quartiles, interpolated between neighbours. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median;

/** Returns the quotients of two series measured in the same rounds. */
export const ratiosOf = (values: readonly number[], references: readonly number[]): number[] =>
  values.map((value, round) => value / references[round]!);

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  return below + (above - below) * (position % 1);
}
