import { type Leaf, shortened } from '../source/value.ts';

/** A value that the profile needs and the input lacks; `field` is its path in the profile. */
export interface FilledIn {
  readonly field: string;
  readonly value: string;
  readonly why: string;
}

/** Records that a field is filled in, and returns the value. */
export type Fill = <Filling>(field: string, value: Filling, why: string) => Filling;

/** What became of an input: each leaf is in exactly one of the first three lists. */
export interface LossReport {
  readonly carriedOver: readonly { where: string }[];
  readonly changed: readonly { where: string; value: string; how: string }[];
  readonly notCarriedOver: readonly { where: string; value: string; why: string }[];
  readonly filledIn: readonly FilledIn[];
}

/** Lists what became of the leaves of an input, with shortened values. */
export function toLossReport(leaves: readonly Leaf[], filledIn: readonly FilledIn[]): LossReport {
  const outcomes = leaves.map(({ where, text, changes, why }) => ({ where, value: shortened(text), changes, why }));
  return {
    carriedOver: outcomes.flatMap(({ where, changes }) => (changes?.size === 0 ? [{ where }] : [])),
    changed: outcomes.flatMap(({ where, value, changes }) =>
      changes !== null && changes.size > 0 ? [{ where, value, how: [...changes].join('; ') }] : [],
    ),
    notCarriedOver: outcomes.flatMap(({ where, value, changes, why }) =>
      changes === null ? [{ where, value, why }] : [],
    ),
    filledIn,
  };
}
