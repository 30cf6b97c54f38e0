import { isDeepStrictEqual } from 'node:util';
import { toFreeId, toId } from 'resume-profile/ids';
import { toNewEntry } from './arrangement.ts';
import { type DocumentValues, valueAt, withValueAt } from './document-values.ts';
import { type Field, fieldsByPath } from './fields.ts';
import { canShow, type FormEntries, readEntries, readEntry, toEntries } from './form-entries.ts';
import { type Part, parts } from './parts.ts';
import { orderEntries, orderPath, readOrder, sectionsPath, withTitlesOf } from './section-order.ts';

/** A form of the editor: of a part of the document, or of one entry of its list. */
export interface Place {
  readonly part: Part;
  /** The index of the entry, for a new entry the number of entries; null for the whole part. */
  readonly entry: number | null;
}

/** Returns the first form whose fields differ in two documents, as a place in the second; the first form if none differs. */
export function changedPlace(before: DocumentValues, now: DocumentValues): Place {
  const [old, held] = [before, now].map((one) => (path: string) => valueAt(one, path.split('.')));
  const differs = (path: string) => !isDeepStrictEqual(old!(path), held!(path));
  const part = parts.find(({ paths }) => paths.some(differs)) ?? parts[0]!;
  const [was, is] = [old!, held!].map((of) => of(part.paths[0]!));
  if (part.isByEntry !== true || !Array.isArray(was) || !Array.isArray(is)) return { part, entry: null };
  const changed = is.flatMap((entry, index) => (was.some((one) => isDeepStrictEqual(one, entry)) ? [] : [index]));
  // Only the whole list shows moved and removed entries.
  return { part, entry: changed.length === 1 && was.length <= is.length ? changed[0]! : null };
}

/** Returns the fields of a form, each with the name of its control. */
export function controlsOf({ part, entry }: Place): (readonly [name: string, field: Field])[] {
  return part.paths.map((path) => {
    const field = fieldsByPath().get(path)!;
    return entry === null ? [path, field] : [`${path}.${entry}`, { ...field, kind: 'group' } as Field];
  });
}

/** Whether a form can show a document: values may be invalid, but a list or a map must not replace something else. */
export function isShowable({ part, entry }: Place, document: DocumentValues): boolean {
  return part.paths.every((path) => {
    const [parent] = path.split('.');
    const outer = parent === path ? {} : (document[parent!] ?? {});
    if (typeof outer !== 'object' || Array.isArray(outer)) return false;
    const field = fieldsByPath().get(path)!;
    const value = valueAt(document, path.split('.'));
    if (entry === null || !Array.isArray(value)) return canShow(field, value);
    return canShow(field, value[entry], 'group');
  });
}

/** Returns the initial values of a form. */
export const toFormEntries = (place: Place, document: DocumentValues): FormEntries =>
  new Map(
    controlsOf(place).flatMap(
      ([name, field]) =>
        (name === orderPath ? orderEntries(document) : null) ??
        (place.entry === ((valueAt(document, field.path.split('.')) as readonly unknown[] | undefined) ?? []).length
          ? [...toEntries(field, undefined, name), ...toNewEntry(field, name)]
          : toEntries(field, valueAt(document, name.split('.')), name)),
    ),
  );

/** The path of the order of the jobs, which the form of the jobs can also set. */
export const experienceOrderPath = 'resume.experience_order';

/** Returns the document with the values of a form; an entry that was left empty is removed. */
export function withPart(place: Place, entries: FormEntries, document: DocumentValues): DocumentValues {
  let changed = document;
  for (const control of controlsOf(place)) {
    const setAt = place.entry === null ? withValueAt : withEntryAt;
    changed = setAt(changed, control[0].split('.'), valueIn(entries, control, document));
  }
  const order = entries.get(experienceOrderPath)?.[0];
  if (place.part.isByEntry && order !== undefined)
    changed = withValueAt(changed, experienceOrderPath.split('.'), order);
  if (place.part.paths.includes(sectionsPath)) changed = withTitlesOf(entries, document, changed);
  return withSkills(withIds(changed));
}

/** Returns the value of one control of a form; undefined if it is empty. */
export function valueIn(
  entries: FormEntries,
  [name, field]: ReturnType<typeof controlsOf>[number],
  document: DocumentValues,
): unknown {
  const before = valueAt(document, name.split('.'));
  if (name === orderPath && entries.has(`${name}#`)) return readOrder(entries, document);
  const isEntry = name !== field.path && 'fields' in field;
  return isEntry ? readEntry(field, entries, name, before) : readEntries(field, entries, name, before);
}

function withEntryAt(document: DocumentValues, path: readonly string[], entry: unknown): DocumentValues {
  const list = path.slice(0, -1);
  const items = (valueAt(document, list) as readonly unknown[] | undefined) ?? [];
  const index = Number(path.at(-1));
  return withValueAt(document, list, items.toSpliced(index, 1, ...(entry === undefined ? [] : [entry])));
}

/** Gives new companies and projects an id, derived from the name. */
function withIds(document: DocumentValues): DocumentValues {
  let changed = document;
  for (const [list, prefix, key] of [
    ['experience', 'exp', 'company'],
    ['projects', 'proj', 'name'],
  ] as const) {
    const items = document[list];
    if (!Array.isArray(items)) continue;
    const used = new Set<string>(items.map((item) => String(item?.id ?? '')));
    const withId = items.map((item) => {
      if (typeof item !== 'object' || item === null || (item.id ?? '') !== '' || !item[key]) return item;
      const id = toFreeId(toId(prefix, String(item[key])), used);
      used.add(id);
      return { id, ...item, ...(item.id === '' && { id }) };
    });
    if (withId.some((item, index) => item !== items[index])) changed = { ...changed, [list]: withId };
  }
  return changed;
}

/** A resume without skill groups needs a list of skills, even an empty one. */
function withSkills(document: DocumentValues): DocumentValues {
  const { skills, skill_groups } = (document.resume ?? {}) as DocumentValues;
  return skills === undefined && skill_groups === undefined
    ? withValueAt(document, ['resume', 'skills'], [])
    : document;
}
