import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { differencesOf } from '../../../../model/profile/differences.ts';
import { merge, type Origins } from '../../../../model/profile/merge.ts';
import type { Html } from '../../page.ts';
import { inWords } from './differences.ts';
import { type DocumentValues, valueAt, withValueAt } from './document-values.ts';
import { fieldAt } from './fields.ts';
import { type FormEntries, normalized, toEntries } from './form-entries.ts';
import { labelOf, optionOf } from './labels.ts';
import { entriesOf } from './outline.ts';
import { controlsOf, type Place, toFormEntries, valueIn } from './part-values.ts';
import { orderEntries, orderPath } from './section-order.ts';

/** A form, and the values of the document that it was made from. */
interface Typed {
  readonly place: Place;
  readonly entries: FormEntries;
  readonly values: DocumentValues;
}

/**
 * Returns a form moved to the document as it is now, where its entry may have another index. The entry is found by its
 * former id, or by the id in the form if the former values are not known; if it is gone, it becomes a new one. A new
 * entry that is already in the document, as when a form is sent twice, becomes that entry.
 */
export function movedTo(now: DocumentValues, { place, entries, values }: Typed): Pick<Typed, 'place' | 'entries'> {
  const { part, entry } = place;
  if (entry === null) return { place, entries };
  const list = part.paths[0]!;
  const id = entriesOf(part, values)[entry]?.id ?? entries.get(`${list}.${entry}.id`)?.[0];
  const present = entriesOf(part, now);
  if (id === undefined || id === '') {
    const added = present.findIndex(isNewEntry({ place, entries, values }));
    if (added !== -1) return { place: { part, entry: added }, entries: toFormEntries({ part, entry: added }, now) };
  }
  const index = id === undefined || id === '' ? -1 : present.findIndex((one) => one.id === id);
  const to = index === -1 ? present.length : index;
  const from = `${list}.${entry}`;
  const renamed = [...entries].map(
    ([name, value]) => [name.startsWith(from) ? `${list}.${to}${name.slice(from.length)}` : name, value] as const,
  );
  return { place: { part, entry: to }, entries: new Map(renamed) };
}

type Entry = ReturnType<typeof entriesOf>[number];

/** Returns a predicate that matches the new entry of a form in a document: its values are equal, and its id is new. */
function isNewEntry({ place, entries, values }: Typed): (entry: Entry) => boolean {
  const known = new Set(entriesOf(place.part, values).map(({ id }) => id));
  const typed = valueIn(entries, controlsOf(place)[0]!, {});
  return ({ id, ...entry }) => !known.has(id) && isDeepStrictEqual(entry, typed);
}

/**
 * Returns a form of the document as it is now with the changes made in the form; a field that both changed is as in the
 * form. The notice lists the changes of the document.
 */
export function mergedWith(now: DocumentValues, typed: Typed) {
  const { place } = movedTo(now, typed);
  const before = controlsOf(typed.place);
  let [was, is]: [DocumentValues, DocumentValues] = [{}, {}];
  const shown = controlsOf(place).map(([name, field], index) => {
    const base = valueAt(typed.values, before[index]![0].split('.'));
    const theirs = valueAt(now, name.split('.'));
    const partOf = (value: unknown) => (name === field.path || value === undefined ? value : [value]);
    was = withValueAt(was, field.path.split('.'), partOf(base));
    is = withValueAt(is, field.path.split('.'), partOf(theirs));
    const [fromNow, fromBase]: [Origins, Origins] = [new WeakMap(), new WeakMap()];
    const value = merge(base, valueIn(typed.entries, before[index]!, typed.values), theirs, fromNow);
    const order = name === orderPath ? orderEntries(withValueAt(now, name.split('.'), value)) : null;
    return {
      entries: order ?? toEntries(field, value, name, fromNow),
      entriesBefore: toEntries(field, base, name),
      entriesThere: toEntries(field, merge(base, theirs, base, fromBase), name, fromBase),
    };
  });
  const entries: FormEntries = new Map(shown.flatMap((one) => one.entries));
  const [old, there] = [shown.flatMap((one) => one.entriesBefore), shown.flatMap((one) => one.entriesThere)];
  const words = inWords(differencesOf(was, is));
  const notice =
    words === ''
      ? html`<p>Nothing in this form was changed there.</p>`
      : html`<p>Changed there in this form: ${words}.</p>${changedFields(new Map(old), new Map(there), entries)}`;
  return { place, entries, notice };
}

const maxListed = 20;
const maxShown = 200;

/** Lists the changed fields of entries that existed before, with their values now. */
function changedFields(before: FormEntries, there: FormEntries, typed: FormEntries): Html | '' {
  const [old, now, below] = [before, there, typed].map(toTexts) as [Texts, Texts, Texts];
  const belowByName = new Map([...below].map(([name, text]) => [originOf(name, typed), text]));
  const changed = [...now].flatMap(([name, text]) => {
    const origin = originOf(name, there);
    return origin === null || (old.get(origin) ?? '') === text ? [] : [{ name, text, typed: belowByName.get(name) }];
  });
  return changed.length === 0
    ? ''
    : html`<ul>${changed.slice(0, maxListed).map(
        (field) => html`
<li>${labelled(field.name)}: in the file <bdi>${shown(field.name, field.text)}</bdi>${field.text === field.typed ? ', as below' : html`, below <bdi>${shown(field.name, field.typed ?? '')}</bdi>`}</li>`,
      )}</ul>${changed.length > maxListed ? html`<p>And ${changed.length - maxListed} more.</p>` : ''}`;
}

type Texts = ReadonlyMap<string, string>;

/** Returns the texts of a form by the names of its fields; the texts of a list are joined. */
function toTexts(entries: FormEntries): Texts {
  const texts = new Map<string, string>();
  for (const [name, values] of entries) {
    const list = name.slice(0, name.lastIndexOf(name.endsWith('#') ? '#' : '.'));
    const isOfTexts = fieldAt(list)?.kind === 'texts';
    if (name.endsWith('@') || (isOfTexts && name.endsWith('#'))) continue;
    const text = values.map(normalized).join('\n');
    if (isOfTexts) texts.set(list, texts.has(list) ? `${texts.get(list)}\n${text}` : text);
    else texts.set(name, text);
  }
  return texts;
}

/** Returns the name that a field had before the entries around it moved; null if one of them is new. */
function originOf(name: string, entries: FormEntries): string | null {
  let [own, origin] = ['', ''];
  for (const part of name.split('.')) {
    own = own === '' ? part : `${own}.${part}`;
    const from = entries.get(`${own}@`)?.[0] ?? part;
    if (from === '') return null;
    origin = origin === '' ? from : `${origin}.${from}`;
  }
  return origin;
}

function labelled(name: string): string {
  const field = fieldAt(name.replace(/[#~]$/, ''));
  if (field === undefined) return '';
  return name.endsWith('#') ? `${labelOf(field.path).label}, how many` : labelOf(field.path).label;
}

function shown(name: string, text: string): string {
  const isChoice = fieldAt(name)?.kind.startsWith('choice') === true;
  const words = isChoice && text !== '' ? text.split('\n').map(optionOf).join(', ') : text.replaceAll('\n', ' / ');
  if (words === '') return 'nothing';
  return `“${toVisible(words.length > maxShown ? `${words.slice(0, maxShown)}…` : words)}”`;
}
