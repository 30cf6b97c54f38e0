import { type Field, fieldAt } from './fields.ts';
import { countAt, type FormEntries } from './form-entries.ts';
import { labelOf } from './labels.ts';

/** A change of the entries of a list, by their name: that of the list to add one, otherwise that of the entry. */
export interface Arrangement {
  readonly kind: 'add' | 'remove' | 'restore' | 'up' | 'down';
  readonly name: string;
}

/** An entry that was removed from a form: its name there, and what it held, by what follows that name. */
export interface Removed {
  readonly name: string;
  readonly held: FormEntries;
}

/** What stands before the names of what the form holds of an entry that was removed. */
export const removedPrefix = 'removed:';

/** Returns what a sent form holds of the entry that was removed. */
export const removedIn = (fields: URLSearchParams): FormEntries =>
  new Map(
    [...new Set(fields.keys())].flatMap((name) =>
      name.startsWith(removedPrefix) ? [[name.slice(removedPrefix.length), fields.getAll(name)]] : [],
    ),
  );

/** Returns what a form holds of an entry. */
export function removedOf(entries: FormEntries, name: string): Removed {
  const held = [...entries].flatMap(([key, values]): [string, readonly string[]][] =>
    key.startsWith(name) && !/^\d/.test(key.slice(name.length)) ? [[key.slice(name.length), values]] : [],
  );
  return { name, held: new Map(held) };
}

/** Returns what a form holds of a new entry of a list, with the first entries of the lists in it that begin with one. */
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

/** Returns what a form holds after a change of the entries of one of its lists; `held` is what is put back. */
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

/** Returns which entry is at each place after a change, null being the one that is put back; null if it cannot be made. */
function orderAfter(kind: Arrangement['kind'], step: string, count: number): (number | null)[] | null {
  const index = /^\d{1,6}$/.test(step) ? Number(step) : -1;
  const order: (number | null)[] = Array.from({ length: count }, (_, place) => place);
  if (index < 0 || index >= count + (kind === 'restore' ? 1 : 0)) return null;
  if (kind === 'restore') return order.toSpliced(index, 0, null);
  if (kind === 'remove') return order.toSpliced(index, 1);
  const first = kind === 'up' ? index - 1 : index;
  return first < 0 || first + 1 >= count ? null : order.toSpliced(first, 2, first + 1, first);
}
