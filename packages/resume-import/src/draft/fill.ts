import { toFreeId, toId } from 'resume-profile/ids';
import { take, type Value } from '../source/value.ts';

/** A value that the profile needs and the input lacks; `field` is its path in the profile. */
export type FilledIn = { readonly [Part in 'field' | 'value' | 'why']: string };

/** Records that a field is filled in, or left empty, and returns the value. */
export type Fill = <Filling>(field: string, value: Filling, why: string) => Filling;

/** The value that is reported for a filled-in list without entries. */
export const emptyList = '(an empty list)';

export const notSaid = 'the resume does not say it';

/** Takes a text that the profile requires; without a value it is left empty, which is recorded. */
export const takeText = (value: Value | undefined, field: string, fill: Fill): string =>
  value ? take(value) : fill(field, '', notSaid);

/** Gives items unique ids made of their names; a repeated name gets a number. */
export function toIds(prefix: string, names: readonly string[], field: string, fill: Fill): string[] {
  const used = new Set<string>();
  for (const name of names) used.add(toFreeId(toId(prefix, name), used));
  const ids = [...used];
  if (ids.length > 0)
    fill(field, ids.toSorted().join(', '), 'derived from the name; programs refer to it, so do not change it');
  return ids;
}
