import { isDeepStrictEqual } from 'node:util';
import { isPlainMap, matched, type PlainMap } from 'resume-profile/yaml/change';
import { applyPatch, equals, toPointer, valueAt } from './patch.ts';
import type { PatchOperation, Path } from './working-copy.ts';

/** A part of a sentence: a name from a document, to be highlighted, or the words around it. */
export interface Part {
  readonly text: string;
  readonly isName: boolean;
}

interface Difference {
  readonly action: 'added' | 'removed' | 'changed';
  /** The key of a field, or of the list of an entry. */
  readonly key: string;
  readonly isEntry: boolean;
  /** The name of an added or removed entry; null if it has none. */
  readonly name: string | null;
  /** The name of the entry around it; null for a field of the document itself. */
  readonly within: string | null;
  /** Returns the patch that takes it back in values, which may lack other differences already. */
  readonly takeBack: (values: unknown) => readonly PatchOperation[];
}

const maxSentences = 6;
const maxNames = 3;
const maxNameLength = 60;

/** Describes how a profile document differs from an older one; nothing if both are equal. */
export function differencesOf(old: unknown, value: unknown): readonly Part[] {
  const sentences = groupsOf(old, value, ({ isEntry }) => isEntry).map(toSentence);
  const more = sentences.length - maxSentences;
  // A sentence about one more change would be as long as the change.
  const shown = more > 1 ? [...sentences.slice(0, maxSentences), [words(`${more} more changes`)]] : sentences;
  return beginning(shown.flatMap((parts, index) => (index === 0 ? parts : [words('; '), ...parts])));
}

/** Returns each difference of a profile document to an older one as a sentence, with the patch that takes it back. */
export const differenceList = (old: unknown, value: unknown) =>
  groupsOf(old, value, ({ isEntry, within }) => isEntry || within === null).map((group) => {
    let values = value;
    const patch = group.flatMap(({ takeBack }) => {
      const operations = takeBack(values);
      values = applyPatch(values, operations);
      return operations;
    });
    return { words: beginning(toSentence(group)), patch };
  });

/** Groups differences with the same action in the same entry; `isOfKey`: and of the same key. */
const groupsOf = (old: unknown, value: unknown, isOfKey: (one: Difference) => boolean) =>
  Map.groupBy(new Comparison(old).differencesIn(old, value, [], '', null), (one) =>
    JSON.stringify([one.action, isOfKey(one) ? one.key : null, one.within]),
  )
    .values()
    .toArray();

/** Returns a sentence with a capital letter, unless it begins with a name. */
const beginning = ([first, ...rest]: readonly Part[]): readonly Part[] =>
  first === undefined ? [] : [first.isName ? first : words(capitalized(first.text)), ...rest];

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Compares values, and finds how to take a difference back. */
class Comparison {
  readonly #whole: unknown;
  constructor(old: unknown) {
    this.#whole = old;
  }

  /** Compares a missing value like an empty text, list or map. */
  differencesIn(old: unknown, value: unknown, path: Path, key: string, within: string | null): Difference[] {
    if (isDeepStrictEqual(old, value) || (isEmpty(old) && isEmpty(value))) return [];
    const isOf = (is: (one: unknown) => boolean) => [old, value].every((one) => is(one) || isEmpty(one));
    const takeBack = this.#restoring(path, old);
    if (path[0] === 'views' && path.length === 2) {
      // A new view may be empty.
      const action = old === undefined ? 'added' : 'removed';
      within = String(path[1]);
      if (old === undefined || value === undefined)
        return [{ action, key: 'version', isEntry: true, name: within, within: null, takeBack }];
    }
    if (key === 'order') return [{ action: 'changed', key, isEntry: false, name: null, within, takeBack }];
    if (isOf(Array.isArray))
      return this.#inList((old || []) as unknown[], (value || []) as unknown[], path, key, within);
    if (isOf(isPlainMap)) {
      const [before, after] = [old, value].map((one) => (isPlainMap(one) ? one : {})) as [PlainMap, PlainMap];
      const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
      // Whether a job is current follows from its end.
      const follows = before.company_end_date !== after.company_end_date;
      return [...keys].flatMap((name) =>
        name === 'current' && follows
          ? []
          : this.differencesIn(before[name], after[name], [...path, name], keyIn(key, name), within),
      );
    }
    const isOption = typeof (value ?? old) === 'boolean';
    const action = isOption ? 'changed' : isEmpty(old) ? 'added' : isEmpty(value) ? 'removed' : 'changed';
    return [{ action, key, isEntry: false, name: null, within, takeBack }];
  }

  #inList(
    old: readonly unknown[],
    list: readonly unknown[],
    path: Path,
    key: string,
    within: string | null,
  ): Difference[] {
    const indexes = matched(old, list);
    const order = indexes.filter((index) => index !== null);
    const toEntry = (action: Difference['action'], item: unknown, takeBack: Difference['takeBack']) =>
      ({ action, key, isEntry: true, name: nameOf(item), within, takeBack }) satisfies Difference;
    const isMoved = order.some((index, position) => position > 0 && index < order[position - 1]!);
    const inOldOrder = list
      .map((item, position) => ({ item, rank: indexes.slice(0, position + 1).findLast((one) => one !== null) ?? -1 }))
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
    return [
      ...list.flatMap((item, position) =>
        indexes[position] === null ? [toEntry('added', item, this.#removing(path, item))] : [],
      ),
      ...old.flatMap((item, index) =>
        indexes.includes(index) ? [] : [toEntry('removed', item, this.#inserting(path, old, list, indexes, index))],
      ),
      ...(isMoved
        ? [
            {
              ...{ action: 'changed' as const, key: `order of ${nounsOf(key)[1]}`, isEntry: false, name: null, within },
              takeBack: this.#restoring(path, inOldOrder),
            },
          ]
        : []),
      ...list.flatMap((item, position): Difference[] => {
        const before = indexes[position] === null ? item : old[indexes[position]!];
        const at = [...path, position];
        if (isPlainMap(item) && isPlainMap(before))
          return this.differencesIn(before, item, at, key, nameOf(item) ?? within);
        const takeBack = this.#restoring(at, before);
        return isDeepStrictEqual(item, before) ? [] : [{ ...toEntry('changed', null, takeBack), name: null }];
      }),
    ];
  }

  /** Puts an old value back; undefined removes the value, and maps around it that were not there. */
  #restoring(path: Path, old: unknown): Difference['takeBack'] {
    return (values) => {
      const at = (depth: number) => path.slice(0, depth);
      if (old === undefined) {
        let depth = path.length;
        const isAlone = (map: unknown) => typeof map === 'object' && map !== null && Object.keys(map).length === 1;
        while (
          depth > 1 &&
          valueAt(this.#whole, at(depth - 1)) === undefined &&
          isAlone(valueAt(values, at(depth - 1)))
        )
          depth -= 1;
        const value = valueAt(values, at(depth));
        const pointer = toPointer(at(depth));
        return value === undefined ? [] : [test(pointer, value), { op: 'remove', path: pointer }];
      }
      const missing = path.findIndex((_, index) => valueAt(values, at(index + 1)) === undefined);
      if (missing === -1) {
        const pointer = toPointer(path);
        return [test(pointer, valueAt(values, path)), { op: 'replace', path: pointer, value: old }];
      }
      const pointer = toPointer(at(missing + 1));
      const value = path.slice(missing + 1).reduceRight<unknown>((inner, step) => ({ [step]: inner }), old);
      return [test(pointer, null), { op: 'add', path: pointer, value }];
    };
  }

  #removing(path: Path, item: unknown): Difference['takeBack'] {
    return (values) => {
      const list = listAt(values, path);
      if (list.length === 1 && valueAt(this.#whole, path) === undefined)
        return this.#restoring(path, undefined)(values);
      const pointer = toPointer([...path, list.findIndex((one) => equals(one, item))]);
      return [test(pointer, item), { op: 'remove', path: pointer }];
    };
  }

  /** Puts a removed item behind the nearest item that was before it. */
  #inserting(
    path: Path,
    old: readonly unknown[],
    list: readonly unknown[],
    indexes: readonly (number | null)[],
    from: number,
  ): Difference['takeBack'] {
    return (values) => {
      if (valueAt(values, path) === undefined) return this.#restoring(path, [old[from]])(values);
      const present = listAt(values, path);
      const isSibling = (one: unknown, index: number) =>
        equals(one, old[index]) || (indexes.includes(index) && equals(one, list[indexes.indexOf(index)]));
      const before = old.slice(0, from).keys().toArray();
      const sibling = before.findLast((index) => present.some((one) => isSibling(one, index)));
      const at = sibling === undefined ? 0 : present.findIndex((one) => isSibling(one, sibling)) + 1;
      return [test(toPointer(path), present), { op: 'add', path: toPointer([...path, at]), value: old[from] }];
    };
  }
}

const test = (path: string, value: unknown): PatchOperation => ({ op: 'test', path, value });
const listAt = (values: unknown, path: Path): readonly unknown[] => {
  const list = valueAt(values, path);
  return Array.isArray(list) ? list : [];
};

/** Returns the key by which to name a value of a map, from the keys of both. */
function keyIn(map: string, key: string): string {
  if (map === 'titles') return `heading of ${labelOf(key)}`;
  return key === 'entries' ? map : key;
}

/** The keys that name an entry; the first one present counts. */
const nameKeys = [
  ...['company', 'name', 'title', 'institution', 'organization', 'language', 'label'],
  ...['role', 'degree', 'area', 'url', 'text', 'bullet', 'id'],
];

/** Returns the name of an entry of a list; null if it has none that is short enough. */
export function nameOf(item: unknown): string | null {
  const name = isPlainMap(item)
    ? nameKeys.map((key) => item[key]).find((one) => typeof one === 'string' && one !== '')
    : item;
  return typeof name === 'string' && name.length <= maxNameLength ? name : null;
}

/** The nouns of entries for which the singular of the key is wrong. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  experience: ['job', 'jobs'],
  education: ['education', 'education'],
  volunteer: ['volunteering', 'volunteering'],
};

/** Lists of what is shown or hidden: the words for an item that is added, and for one that is removed. */
const audiences: Readonly<Record<string, readonly [added: string, removed: string]>> = {
  public: ['shown to everyone', 'no longer shown to everyone'],
  page_hides: ['no longer on the page', 'on the page again'],
  page: ['no longer on the page', 'on the page again'],
  pdf: ['no longer in the PDF', 'in the PDF again'],
  word: ['no longer in the file for Word', 'in the file for Word again'],
  programs: ['no longer for programs', 'for programs again'],
  hide: ['left out of', 'shown again in'],
};

/** Words for fields whose key is unclear without its context. */
const fieldWords: Readonly<Record<string, string>> = {
  status: 'availability',
  accent: 'colour',
  order: 'order of the sections',
  experience_order: 'order of the jobs',
  years_experience: 'years of experience',
  owner_email: 'address for notices',
  theme: 'look of the PDF',
  pdf_url: 'address of a PDF of your own',
  print: 'whether references are printed',
};

const labelOf = (key: string): string => fieldWords[key] ?? key.replaceAll('_', ' ');
const nounsOf = (key: string): readonly [one: string, many: string] =>
  nouns[key] ?? [labelOf(key.replace(/s$/, '')), labelOf(key)];

const words = (text: string): Part => ({ text, isName: false });
const named = (text: string): Part => ({ text, isName: true });
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const prepositions = { added: ' to ', removed: ' from ', changed: ' of ' } as const;

/** Describes differences with the same action in the same entry. */
function toSentence(differences: readonly Difference[]): Part[] {
  const [{ action, key, isEntry, within }] = differences as [Difference];
  if (!isEntry) {
    const fields = enumerated(differences.map((one) => [words(labelOf(one.key))]));
    return [...fields, ...(within === null ? [] : [words(' of '), named(within)]), words(` ${action}`)];
  }
  const names = differences.flatMap(({ name }) => (name === null ? [] : [[named(name)]]));
  const audience = audiences[key]?.[action === 'added' ? 0 : 1];
  if (audience !== undefined) {
    const items = differences.map(({ name }) => [key === 'hide' ? named(name ?? '') : words(labelOf(name ?? ''))]);
    return [
      ...enumerated(items),
      words(` ${audience}${within === null ? '' : ' '}`),
      ...(within === null ? [] : [named(within)]),
    ];
  }
  const [one, many] = nounsOf(key);
  const isNamed = names.length === differences.length && names.length <= maxNames;
  const count = differences.length === 1 ? one : isNamed ? many : `${differences.length} ${many}`;
  const place = within === null ? [] : [words(prepositions[action]), named(within)];
  const entries = [words(count), ...(isNamed ? [words(' '), ...enumerated(names)] : [])];
  return action === 'changed' ? [...entries, ...place, words(' changed')] : [...entries, words(` ${action}`), ...place];
}

/** Joins items as `a, b and c`. */
const enumerated = (items: readonly (readonly Part[])[]): Part[] =>
  items.flatMap((item, index) => (index === 0 ? item : [words(index === items.length - 1 ? ' and ' : ', '), ...item]));
