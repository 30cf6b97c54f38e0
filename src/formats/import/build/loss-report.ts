import { type Leaf, shortened } from '../source/value.ts';

/** Something the profile needs and the input lacks; `field` is its path in the profile. */
export interface FilledIn {
  readonly field: string;
  readonly value: string;
  readonly why: string;
}

/** Notes that a field is filled in and gives the value back. */
export type Fill = <Filling>(field: string, value: Filling, why: string) => Filling;

/** The loss report: every leaf of the input is in exactly one of the first three lists. */
export interface LossReport {
  readonly carriedOver: readonly { where: string }[];
  readonly changed: readonly { where: string; value: string; how: string }[];
  readonly notCarriedOver: readonly { where: string; value: string; why: string }[];
  readonly filledIn: readonly FilledIn[];
}

/** What became of the leaves of an input; values are shortened. */
export function toLossReport(leaves: readonly Leaf[], filledIn: readonly FilledIn[]): LossReport {
  const told = leaves.map(({ where, text, changes, why }) => ({ where, value: shortened(text), changes, why }));
  return {
    carriedOver: told.flatMap(({ where, changes }) => (changes?.size === 0 ? [{ where }] : [])),
    changed: told.flatMap(({ where, value, changes }) =>
      changes !== null && changes.size > 0 ? [{ where, value, how: [...changes].join('; ') }] : [],
    ),
    notCarriedOver: told.flatMap(({ where, value, changes, why }) => (changes === null ? [{ where, value, why }] : [])),
    filledIn,
  };
}
