import { isDeepStrictEqual } from 'node:util';
import { isPlainMap, matched, type PlainMap } from 'resume-profile/yaml/change';

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
}

const maxSentences = 6;
const maxNames = 3;
const maxNameLength = 60;

/** Describes how a profile document differs from an older one; nothing if both are equal. */
export function differencesOf(old: unknown, value: unknown): readonly Part[] {
  const groups = Map.groupBy(differencesIn(old, value, '', null), ({ action, key, isEntry, within }) =>
    JSON.stringify([action, isEntry ? key : null, within]),
  );
  const sentences = [...groups.values()].map(toSentence);
  const more = sentences.length - maxSentences;
  // A sentence about one more change would be as long as the change.
  const shown = more > 1 ? [...sentences.slice(0, maxSentences), [words(`${more} more changes`)]] : sentences;
  const [first, ...rest] = shown.flatMap((parts, index) => (index === 0 ? parts : [words('; '), ...parts]));
  return first === undefined ? [] : [first.isName ? first : words(capitalized(first.text)), ...rest];
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Compares a missing value like an empty text, list or map. */
function differencesIn(old: unknown, value: unknown, key: string, within: string | null): Difference[] {
  if (isDeepStrictEqual(old, value) || (isEmpty(old) && isEmpty(value))) return [];
  const isOf = (is: (one: unknown) => boolean) => [old, value].every((one) => is(one) || isEmpty(one));
  if (key === 'order') return [{ action: 'changed', key, isEntry: false, name: null, within }];
  if (isOf(Array.isArray)) return differencesInList((old || []) as unknown[], (value || []) as unknown[], key, within);
  if (isOf(isPlainMap)) {
    const [before, after] = [old, value].map((one) => (isPlainMap(one) ? one : {})) as [PlainMap, PlainMap];
    const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
    // Whether a job is current follows from its end.
    const follows = before.company_end_date !== after.company_end_date;
    return [...keys].flatMap((name) =>
      name === 'current' && follows ? [] : differencesIn(before[name], after[name], keyIn(key, name), within),
    );
  }
  const isOption = typeof (value ?? old) === 'boolean';
  const action = isOption ? 'changed' : isEmpty(old) ? 'added' : isEmpty(value) ? 'removed' : 'changed';
  return [{ action, key, isEntry: false, name: null, within }];
}

/** Returns the key by which to name a value of a map, from the keys of both. */
function keyIn(map: string, key: string): string {
  if (map === 'titles') return `heading of ${labelOf(key)}`;
  return key === 'entries' ? map : key;
}

function differencesInList(old: readonly unknown[], list: readonly unknown[], key: string, within: string | null) {
  const indexes = matched(old, list);
  const keptIndexes = new Set(indexes);
  const order = indexes.filter((index) => index !== null);
  const toEntry = (action: Difference['action']) => (item: unknown) =>
    ({ action, key, isEntry: true, name: nameOf(item), within }) satisfies Difference;
  const isMoved = order.some((index, position) => position > 0 && index < order[position - 1]!);
  return [
    ...list.filter((_item, position) => indexes[position] === null).map(toEntry('added')),
    ...old.filter((_item, index) => !keptIndexes.has(index)).map(toEntry('removed')),
    ...(isMoved
      ? [{ action: 'changed', key: `order of ${nounsOf(key)[1]}`, isEntry: false, name: null, within } as const]
      : []),
    ...list.flatMap((item, position): Difference[] => {
      const before = indexes[position] === null ? item : old[indexes[position]!];
      if (isPlainMap(item) && isPlainMap(before)) return differencesIn(before, item, key, nameOf(item) ?? within);
      return isDeepStrictEqual(item, before) ? [] : [{ action: 'changed', key, isEntry: true, name: null, within }];
    }),
  ];
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
  public: ['field that everyone sees', 'fields that everyone sees'],
  page_hides: ['field that the page leaves out', 'fields that the page leaves out'],
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
