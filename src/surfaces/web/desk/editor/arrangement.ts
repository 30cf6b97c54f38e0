import { type Field, fieldAt } from './fields.ts';
import { countAt, type FormEntries } from './form-entries.ts';
import { labelOf } from './labels.ts';

/** A change of the entries of a list. `name` is the name of the list for `add`, otherwise the name of the entry. */
export interface Arrangement {
  readonly kind: 'add' | 'remove' | 'restore' | 'up' | 'down';
  readonly name: string;
}

/** An entry that was removed from a form: its name there, and its values by the rest of their names. */
export interface Removed {
  readonly name: string;
  readonly held: FormEntries;
}

/** The prefix of the fields with the values of a removed entry. */
export const removedPrefix = 'removed:';

/** Returns the values of the removed entry in a sent form. */
export const removedIn = (fields: URLSearchParams): FormEntries =>
  new Map(
    [...new Set(fields.keys())].flatMap((name) =>
      name.startsWith(removedPrefix) ? [[name.slice(removedPrefix.length), fields.getAll(name)]] : [],
    ),
  );

/** Returns an entry with its values. */
export function removedOf(entries: FormEntries, name: string): Removed {
  const held = [...entries].flatMap(([key, values]): [string, readonly string[]][] =>
    key.startsWith(name) && !/^\d/.test(key.slice(name.length)) ? [[key.slice(name.length), values]] : [],
  );
  return { name, held: new Map(held) };
}

/** Returns the values of a new entry of a list, with one entry in each inner list marked `isBegun`. */
export const toNewEntry = (list: Field | undefined, name: string): [string, string[]][] => [
  [`${name}@`, ['']],
  [name, ['']],
  ...(list !== undefined && 'fields' in list ? list.fields : [])
    .filter(({ path }) => labelOf(path).isBegun)
    .flatMap((inner): [string, string[]][] => [
      [`${name}.${inner.key}#`, ['1']],
      ...toNewEntry(inner, `${name}.${inner.key}.0`),
    ]),
];

/** Returns the values of a form after a change of a list; `held` is the entry to be restored. */
export function arranged(entries: FormEntries, { kind, name }: Arrangement, held?: FormEntries): FormEntries {
  const list = kind === 'add' ? name : name.slice(0, name.lastIndexOf('.'));
  const count = countAt(entries, list);
  if (kind === 'add')
    return new Map([...entries, [`${list}#`, [String(count + 1)]], ...toNewEntry(fieldAt(list), `${list}.${count}`)]);
  const isHeld = held?.has('@') || held?.has('');
  if (kind === 'restore' && !isHeld) return entries;
  const order = orderAfter(kind, name.slice(list.length + 1), count);
  if (order === null) return entries;
  const places = new Map(order.map((from, place) => [from, place]));
  const moved = [...entries].flatMap(([key, values]): [string, readonly string[]][] => {
    const [, from, rest] = (key.startsWith(`${list}.`) && /^(\d+)(.*)$/s.exec(key.slice(list.length + 1))) || [];
    if (from === undefined) return [[key, values]];
    const place = places.get(Number(from));
    return place === undefined ? [] : [[`${list}.${place}${rest}`, values]];
  });
  const restored = kind === 'restore' ? [...held!].map(([rest, values]) => [`${name}${rest}`, values] as const) : [];
  return new Map([...moved, ...restored, [`${list}#`, [String(order.length)]]]);
}

/** Returns the old index of each entry in the new order, null for the restored entry; null if the change is impossible. */
function orderAfter(kind: Arrangement['kind'], step: string, count: number): (number | null)[] | null {
  const index = /^\d{1,6}$/.test(step) ? Number(step) : -1;
  const order: (number | null)[] = Array.from({ length: count }, (_, place) => place);
  if (index < 0 || index >= count + (kind === 'restore' ? 1 : 0)) return null;
  if (kind === 'restore') return order.toSpliced(index, 0, null);
  if (kind === 'remove') return order.toSpliced(index, 1);
  const first = kind === 'up' ? index - 1 : index;
  return first < 0 || first + 1 >= count ? null : order.toSpliced(first, 2, first + 1, first);
}
