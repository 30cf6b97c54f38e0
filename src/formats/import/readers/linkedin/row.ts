import type { InputCursor } from '../../source/input-cursor.ts';
import { changed, joined, type Value } from '../../source/value.ts';
import { leftoversIn, toLabelled } from '../leftovers.ts';

/** Reads the cell of a row in the first of some columns in which there is one. */
export type Row = (...columns: string[]) => Value | undefined;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Reads the cells of a row by column, and decodes the few HTML entities that LinkedIn writes. */
export const toRow =
  (row: InputCursor): Row =>
  (...columns) =>
    decoded(row.text(...columns));

function decoded(cell: Value | undefined): Value | undefined {
  const text = cell?.text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
  return cell && text !== cell.text ? changed(cell, 'HTML entities decoded', text) : cell;
}

/** The cells of a row in columns that were not read so far, each after the name of its column. */
export const restOf = (row: InputCursor): Value[] =>
  leftoversIn(row)
    // A cell beyond the header has the number of its column for a name.
    .filter(({ title }) => !/^Column \d+$/.test(title))
    .flatMap((each) => decoded(toLabelled(each)) ?? []);

/** The texts with those of other columns, as one. */
export const withRest = (row: InputCursor, text?: Value): Value | undefined =>
  joined([text, ...restOf(row)], ', ', 'joined with the other columns of the row');

/** Writes a name such as `LIMITED_WORKING` as words. */
export const toWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** Writes a value such as `LIMITED_WORKING` as words. */
export const inWords = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written as words', toWords(value.text)) : value;
