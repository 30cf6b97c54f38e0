import { isDeepStrictEqual } from 'node:util';
import { withAsciiDigits } from 'resume-profile/date-reader';
import { withScheme } from 'resume-profile/profile';
import { toLanguageTag } from 'resume-profile/resume-language';
import type { Origins } from '../../../../model/profile/merge.ts';
import { followingRoles, readDate } from './dates.ts';
import { type Field, isUnshown } from './fields.ts';
import { labelOf } from './labels.ts';
import { isPlacedText, placementEntries, readPlacement } from './placement.ts';

/**
 * The values of the controls of a form by name: the path of a value in the document, with the indexes of lists
 * (`experience.0.roles.1.title`). `LIST#` has the number of entries of a list, `ENTRY@` the index that an entry had.
 */
export type FormEntries = ReadonlyMap<string, readonly string[]>;

/** How many fields a form of the editor may have. */
export const maxFields = 2_000;

type Values = Readonly<Record<string, unknown>>;

/** Whether a list of texts is one control with a text on each line. */
export const isLines = ({ path }: Field, texts: readonly string[]): boolean =>
  labelOf(path).isLong !== true && !texts.some((text) => /[\r\n]/.test(text));

/** The name of the checkbox for an ongoing period. */
export const goesOnName = (name: string): string => `${name}~`;

/** Returns the form values of a value; `origins` has the former indexes of list entries, if they differ. */
export function toEntries(field: Field, value: unknown, name: string, origins?: Origins): [string, string[]][] {
  if (field.kind === 'group')
    return [
      ...field.fields.flatMap((inner) =>
        toEntries(inner, (value as Values | undefined)?.[inner.key], `${name}.${inner.key}`, origins),
      ),
      ...placementEntries(value, name),
    ];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const isListOfTexts = field.kind === 'texts' && (!isLines(field, textsOf(value)) || items.some(isPlacedText));
  if (field.kind === 'list' || isListOfTexts) {
    const from = origins?.get(items) ?? [...items.keys()];
    return [
      [`${name}#`, [String(items.length)]],
      ...items.flatMap((item, index): [string, string[]][] => {
        const entry = `${name}.${index}`;
        if (field.kind !== 'list') return [[entry, [toText(item)]], ...placementEntries(item, entry)];
        // A paragraph of a section may be a text instead of an object.
        const values = typeof item === 'string' ? { text: item } : item;
        const shown = toEntries({ ...field, kind: 'group' }, values, entry, origins);
        return [[`${entry}@`, [String(from[index] ?? '')]], ...shown];
      }),
    ];
  }
  if (field.kind === 'texts') return [[name, [textsOf(value).join('\n')]]];
  if (field.kind === 'flag') return [[name, value === true ? ['on'] : []]];
  if (field.kind === 'choices') return [[name, [...textsOf(value ?? field.preset)]]];
  if (field.kind === 'date' && field.goesOn === 'by-box')
    return [
      [name, [toText(value)]],
      [goesOnName(name), value === null ? ['on'] : []],
    ];
  return [[name, [toText(value)]]];
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(toText) : []);

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : isPlacedText(value) ? value.text : String(value);

const isMap = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);

/** Whether a form can show a value: it may be invalid, but a list is a list, and a text is not a map. */
export function canShow(field: Field, value: unknown, kind = field.kind): boolean {
  if (value === undefined || value === null) return true;
  if (kind === 'group' && 'fields' in field)
    return isMap(value) && field.fields.every((inner) => canShow(inner, (value as Values)[inner.key]));
  if (kind === 'list' && 'fields' in field)
    return (
      Array.isArray(value) &&
      value.every(
        (item) =>
          canShow(field, item, 'group') || (typeof item === 'string' && field.fields.some(({ key }) => key === 'text')),
      )
    );
  if (kind === 'texts' || kind === 'choices')
    return Array.isArray(value) && value.every((item) => typeof item !== 'object' || isPlacedText(item));
  return typeof value !== 'object';
}

/**
 * Returns the value that a form holds; undefined if the key is to be left out. Unchanged input gives the same value as
 * in `before`, however the document writes it.
 */
export function readEntries(field: Field, entries: FormEntries, name: string, before: unknown): unknown {
  switch (field.kind) {
    case 'group':
      return readGroup(field.fields, entries, name, before, field.isRequired);
    case 'list':
      return readList(field, entries, name, before);
    case 'texts':
      return readTexts(field, entries, name, before);
    case 'flag': {
      const isSet = isTicked(entries, name);
      return isSet || before !== undefined ? isSet : undefined;
    }
    case 'choices': {
      const chosen = field.options.filter((option) => entries.get(name)?.includes(option));
      const known = textsOf(before ?? field.preset);
      if (chosen.length === known.length && chosen.every((one) => known.includes(one))) return before;
      return chosen.length === 0 && field.preset === null ? undefined : chosen;
    }
    case 'date': {
      const typed = typedAt(entries, name);
      if (typed === undefined) return before;
      return readDate(field.goesOn, { typed, isTicked: isTicked(entries, goesOnName(name)) }, before);
    }
    default:
      return readText(field, entries, name, before);
  }
}

function readText(field: Field, entries: FormEntries, name: string, before: unknown): unknown {
  const typed = typedAt(entries, name);
  const { isLong = false, isNeeded = false, isAddress = false, isLanguage = false } = labelOf(field.path);
  if (typed === undefined) return before;
  if (before !== undefined && typed === normalized(toText(before))) return before;
  // An empty required name is left out, which is a fault; required prose may be an empty text.
  if (typed === '') return field.isRequired && !isNeeded && (before !== undefined || isLong) ? '' : undefined;
  if (field.kind === 'number') return toNumber(typed);
  if (isLanguage) return toLanguageTag(typed);
  return (isAddress ? withScheme(typed) : null) ?? typed;
}

/** Returns a typed number, or the text if it is not one number: `1,000` may be two. */
function toNumber(typed: string): number | string {
  const text = withAsciiDigits(typed);
  return /^-?\d{1,15}([.,]\d{1,15})?$/.test(text) && !/,\d{3}$/.test(text) ? Number(text.replace(',', '.')) : typed;
}

function readTexts(field: Field, entries: FormEntries, name: string, before: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(before) ? before : [];
  const old = new Map(items.map((item) => [normalized(toText(item)), item]));
  const toItem = (text: string, placement: readonly string[] | undefined) => {
    const same = toText(old.get(text) ?? text);
    return placement === undefined ? same : { text: same, in: placement };
  };
  const typed = !entries.has(`${name}#`)
    ? typedAt(entries, name)
        ?.split('\n')
        .map((line) => ({ text: line.trim(), placement: undefined }))
    : Array.from({ length: countAt(entries, name) }, (_, index) => {
        const text = typedAt(entries, `${name}.${index}`) ?? '';
        return { text, placement: readPlacement(entries, `${name}.${index}`, old.get(text)) };
      });
  if (typed === undefined) return before;
  const texts = typed.filter(({ text }) => text !== '').map(({ text, placement }) => toItem(text, placement));
  return orAbsent(texts, field, before);
}

function readList(
  field: Field & { readonly fields: readonly Field[] },
  entries: FormEntries,
  name: string,
  before: unknown,
) {
  if (!entries.has(`${name}#`)) return before;
  const old: readonly unknown[] = Array.isArray(before) ? before : [];
  const items = Array.from({ length: countAt(entries, name) }, (_, index) => {
    const entry = `${name}.${index}`;
    const origin = entries.get(`${entry}@`)?.[0] ?? '';
    return readEntry(field, entries, entry, origin === '' ? undefined : old[Number(origin)]);
  });
  return orAbsent(
    items.filter((item) => item !== undefined),
    field,
    before,
  );
}

/** Returns an entry of a list from its form values; undefined if all of them are empty. */
export function readEntry(
  { fields, path }: Field & { readonly fields: readonly Field[] },
  entries: FormEntries,
  name: string,
  before: unknown,
): unknown {
  const known = typeof before === 'string' ? { text: before } : before;
  const value = readGroup(fields, entries, name, known, false) as Record<string, unknown> | undefined;
  // A value derived from another key does not count as content.
  if (
    value === undefined ||
    Object.entries(value).every(([key, one]) => isBlank(one) || isUnshown(key, `${path}.${key}`))
  )
    return undefined;
  const placement = readPlacement(entries, name, before);
  const { in: _, ...rest } = value;
  // An existing key keeps its place.
  const placed: Record<string, unknown> = placement === undefined ? rest : { ...value, in: placement };
  if (typeof before === 'string' && isDeepStrictEqual(Object.keys(placed), ['text'])) return placed.text;
  if (path !== 'experience') return placed;
  const dated = followingRoles(placed, before);
  return { ...dated, current: (dated.company_end_date ?? null) === null };
}

/** Returns the keys of the form and the other keys of `before`: first in the order of `before`, then of the form. */
function readGroup(fields: readonly Field[], entries: FormEntries, name: string, before: unknown, isRequired: boolean) {
  const old = (before ?? {}) as Values;
  const read = new Map(
    fields.map((inner) => [inner.key, readEntries(inner, entries, `${name}.${inner.key}`, old[inner.key])]),
  );
  const keys = new Set([...Object.keys(old), ...read.keys()]);
  const kept = [...keys].map((key) => [key, read.has(key) ? read.get(key) : old[key]] as const);
  const given = kept.filter(([, value]) => value !== undefined);
  if (before === undefined && !isRequired && given.every(([, value]) => isBlank(value))) return undefined;
  return Object.fromEntries(given);
}

const isBlank = (value: unknown): boolean => value === '' || value === null || isDeepStrictEqual(value, []);

/** Leaves out an optional list whose last entry was removed. */
const orAbsent = (items: readonly unknown[], { isRequired }: Field, before: unknown) =>
  items.length > 0 || isRequired || (Array.isArray(before) && before.length === 0) ? items : undefined;

/** Returns the number of entries in a list of a form: at most the stated one, up to the first missing entry. */
export function countAt(entries: FormEntries, list: string): number {
  const stated = Number(entries.get(`${list}#`)?.[0] ?? 0);
  let count = 0;
  while (count < stated && (entries.has(`${list}.${count}@`) || entries.has(`${list}.${count}`))) count += 1;
  return count;
}

const isTicked = (entries: FormEntries, name: string): boolean => (entries.get(name)?.length ?? 0) > 0;

function typedAt(entries: FormEntries, name: string): string | undefined {
  const typed = entries.get(name)?.[0];
  return typed === undefined ? undefined : normalized(typed);
}

/** Returns a text of a form, trimmed and with LF line breaks: forms send CRLF. */
export const normalized = (text: string): string => text.replaceAll('\r\n', '\n').trim();
