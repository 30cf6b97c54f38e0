import { html } from 'hono/html';
import { pluralize, toVisible } from '../../../../model/text.ts';
import type { Html } from '../../page.ts';
import { fieldAt } from './fields.ts';
import type { FormEntries } from './form-entries.ts';
import { labelOf, optionOf } from './labels.ts';
import { entriesOf } from './outline.ts';
import { type DocumentValues, type Place, toFormEntries } from './part-values.ts';

/** A form, and the values of the document that it was made from. */
interface Typed {
  readonly place: Place;
  readonly entries: FormEntries;
  readonly values: DocumentValues;
}

/**
 * Returns a form as one of the document as it is now, in which the same entry may have another index: by its id before,
 * or by the one in the form if the values before are not known. An entry that is gone is a new one.
 */
export function movedTo(now: DocumentValues, { place, entries, values }: Typed): Pick<Typed, 'place' | 'entries'> {
  const { part, entry } = place;
  if (entry === null) return { place, entries };
  const list = part.paths[0]!;
  const id = entriesOf(part, values)[entry]?.id ?? entries.get(`${list}.${entry}.id`)?.[0];
  const present = entriesOf(part, now);
  const index = id === undefined || id === '' ? -1 : present.findIndex((one) => one.id === id);
  const to = index === -1 ? present.length : index;
  const from = `${list}.${entry}`;
  const renamed = [...entries].map(
    ([name, value]) => [name.startsWith(from) ? `${list}.${to}${name.slice(from.length)}` : name, value] as const,
  );
  return { place: { part, entry: to }, entries: new Map(renamed) };
}

/** Which fields of a form have changed in the document since the form was made, with what each is now. */
export function changedFields({ place, entries, values }: Typed, now: DocumentValues): Html {
  const before = movedTo(now, { place, entries: toFormEntries(place, values), values });
  const after = toFormEntries(before.place, now);
  const names = [...new Set([...before.entries.keys(), ...after.keys()])].filter(
    (name) => !name.endsWith('@') && !isSame(before.entries.get(name), after.get(name)),
  );
  if (names.length === 0) return html`<p>Nothing in this form was changed there.</p>`;
  const typed = movedTo(now, { place, entries, values }).entries;
  return html`<p>In this form, ${pluralize(names.length, 'field')} changed there:</p>
<ul>${names.slice(0, maxListed).map(
    (name) => html`
<li>${labelled(name)}: in the file <bdi>${shown(name, after)}</bdi>${isSame(typed.get(name), after.get(name)) ? ', as below' : html`, below <bdi>${shown(name, typed)}</bdi>`}</li>`,
  )}</ul>${names.length > maxListed ? html`<p>And ${names.length - maxListed} more.</p>` : ''}`;
}

const maxListed = 20;
const maxShown = 200;

const isSame = (one: readonly string[] = [''], other: readonly string[] = ['']): boolean =>
  one.map(trimmed).join('\0') === other.map(trimmed).join('\0');

const trimmed = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function labelled(name: string): string {
  const field = fieldAt(name.replace(/[#~]$/, ''));
  if (field === undefined) return '';
  return name.endsWith('#') ? `${labelOf(field.path).label}, how many` : labelOf(field.path).label;
}

function shown(name: string, entries: FormEntries): string {
  const texts = entries.get(name) ?? [];
  const isChoice = fieldAt(name)?.kind.startsWith('choice') === true;
  const text = texts.map((one) => (isChoice && one !== '' ? optionOf(one) : one)).join(', ');
  if (text.trim() === '') return 'nothing';
  return `“${toVisible(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)}”`;
}
