import type { Place } from '../source/input-cursor.ts';
import type { Draft } from './draft.ts';

/** A kind of document that can be imported. */
export interface Format {
  readonly name: string;
  /** What it is recognised by, for whoever brings something else: `an object with cv`. */
  readonly mark: string;
  recognises(input: Place): boolean;
  toDraft(input: Place): Draft;
}
