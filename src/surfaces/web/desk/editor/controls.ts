import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { faultOf, hidden } from '../../form.ts';
import { capitalize } from '../../format.ts';
import type { Html } from '../../page.ts';
import { type Arrangement, removedPrefix } from './arrangement.ts';
import { type Field, fieldAt } from './fields.ts';
import { countAt, type FormEntries, goesOnName, isLines } from './form-entries.ts';
import { findingOf, hintOf, inputOf, lineOf, type ShownForm } from './inputs.ts';
import { labelOf, rankOf } from './labels.ts';
import { placementBoxes } from './placement.ts';

/** Returns the controls of some fields; rarely used controls are folded at the end. */
export function controlsOfAll(shown: readonly Control[], form: ShownForm): Html {
  const folded = shown.filter((control) => isFolded(control, shown, form));
  const toControls = (some: readonly Control[]) => some.map(([name, field]) => controlsFor(field, name, form));
  return html`<div class="part-fields">${toControls(shown.filter((control) => !folded.includes(control)))}</div>
${folded.length === 0 ? '' : html`<details class="rare"${folded.some(([name]) => isToSee(name, form)) ? ' open' : ''}><summary class="small">More${about(folded[0]![1])}</summary><div class="part-fields">${toControls(folded)}</div></details>`}`;
}

/** Whether a control is folded: if it is rarely used or, in an entry that can be of several kinds, if it is empty. */
function isFolded([name, field]: Control, beside: readonly Control[], { entries }: ShownForm): boolean {
  const kinds = beside.filter(([, { path }]) => labelOf(path).isKind);
  if (kinds.length === 0) return isRare(field);
  const isHeld = (one: string) =>
    [one, goesOnName(one)].some((control) => Boolean(entries.get(control)?.[0])) || countAt(entries, one) > 0;
  const isKind = kinds.some(([one]) => one === name);
  return !isHeld(name) && !(isKind && !kinds.some(([one]) => isHeld(one)));
}

/** Names the entry of the folded fields, because fields of the entry around it may be next to them. */
function about({ path }: Field): string {
  const around = fieldAt(path.slice(0, Math.max(0, path.lastIndexOf('.'))));
  const { entry } = around === undefined ? {} : labelOf(around.path);
  return entry === undefined ? '' : ` about this ${entry}`;
}

type Control = readonly [name: string, field: Field];

/** Returns the controls inside a group or an entry, in their order. */
export const innerControlsOf = (field: Field, name: string): readonly Control[] =>
  'fields' in field ? inOrder(field.fields).map((inner) => [`${name}.${inner.key}`, inner]) : [];

const inOrder = (fields: readonly Field[]) => fields.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));

const isRare = ({ path }: Field): boolean => labelOf(path).isRare === true;

/** Whether a control, or a control inside it, has a fault, a remark or the focus. */
const isToSee = (name: string, { faults, findings, focus }: ShownForm): boolean =>
  [...faults.keys(), ...(findings?.keys() ?? []), focus ?? ''].some(
    (one) => one === name || one.replace(/^\w+ /, '').startsWith(`${name}.`),
  );

/** Returns the id of the control that gets the focus after a change of a list. */
export function focusAfter({ kind, name }: Arrangement, entries: FormEntries): string | null {
  const list = kind === 'add' ? name : name.slice(0, name.lastIndexOf('.'));
  const count = countAt(entries, list);
  if (count === 0) return `add ${list}`;
  const asked = kind === 'add' ? count - 1 : Number(name.slice(list.length + 1));
  if (kind === 'up' || kind === 'down') {
    const place = kind === 'up' ? asked - 1 : asked + 1;
    // At an end of the list, an entry moves only away from it.
    const isAtEnd = place === (kind === 'up' ? 0 : count - 1);
    return `${isAtEnd ? (kind === 'up' ? 'down' : 'up') : kind} ${list}.${place}`;
  }
  const entry = `${list}.${Math.min(asked, count - 1)}`;
  const field = fieldAt(list);
  // A folded entry stays folded.
  if (kind === 'remove' && field?.kind === 'list') return `remove ${entry}`;
  const first = field?.kind === 'list' ? inOrder(field.fields).find((one) => !isRare(one)) : undefined;
  return first === undefined ? entry : `${entry}.${first.key}`;
}

/** Returns the controls of a field, with label, hint and fault. */
function controlsFor(field: Field, name: string, form: ShownForm): Html {
  const { kind, path } = field;
  const { label } = labelOf(path);
  if (kind === 'list') return listOf(field, name, form);
  const titles = form.titles?.get(path);
  if (titles !== undefined && form.entries.has(`${name}#`)) return movableOf(field, name, form, titles);
  if (kind === 'texts' && form.entries.has(`${name}#`)) return listOf(field, name, form);
  if (kind === 'texts' && !isLines(field, [])) return listOf(field, name, form);
  if (kind === 'group')
    return html`<fieldset id="${name}">${legendOf(label, form)}${hintOf(field)}${lineOf(name, form)}${controlsOfAll(innerControlsOf(field, name), form)}</fieldset>`;
  return inputOf(field, name, form);
}

const legendOf = (label: string, { title }: ShownForm): Html =>
  html`<legend${label === title ? html` class="unseen"` : ''}>${label}</legend>`;

function listOf(field: Field, name: string, form: ShownForm): Html {
  const { label, entry = 'entry' } = labelOf(field.path);
  const count = countAt(form.entries, name);
  const button = buttonsOf(form);
  return html`<fieldset class="list" id="${name}">${legendOf(label, form)}${hintOf(field)}${lineOf(name, form)}
<input type="hidden" name="${name}#" value="${count}">
${Array.from({ length: count }, (_, index) => entryOf(field, `${name}.${index}`, { ...form, index, count, entry }))}${removedFrom(name, field, form)}
${button('add', name, `Add ${/^[aeiou]/.test(entry) ? 'an' : 'a'} ${entry}`)}${count === 0 && !form.isEditable ? html`<p class="soft small">None</p>` : ''}${form.remarks?.get(name) ?? ''}
</fieldset>`;
}

function movableOf(field: Field, name: string, form: ShownForm, titles: ReadonlyMap<string, string>): Html {
  const { label, hint } = labelOf(field.path);
  const count = countAt(form.entries, name);
  const button = buttonsOf(form);
  return html`<fieldset class="list" id="${name}"><legend>${label}</legend><p class="hint">${count === 0 ? 'Nothing is there yet to be put in order.' : hint}</p>${lineOf(name, form)}
<input type="hidden" name="${name}#" value="${count}">
${Array.from({ length: count }, (_, index) => {
  const entry = `${name}.${index}`;
  const value = form.entries.get(entry)?.[0] ?? '';
  const title = titles.get(value) ?? value;
  return html`<div class="line movable"><bdi>${toVisible(title)}</bdi><input type="hidden" name="${entry}" value="${value}"><span class="actions">${index > 0 ? button('up', entry, 'Up', title) : ''}${index < count - 1 ? button('down', entry, 'Down', title) : ''}</span></div>`;
})}</fieldset>`;
}

/** Says which entry was just removed from a list, with a button that puts it back. */
function removedFrom(list: string, field: Field, form: ShownForm): Html | '' {
  const { removed } = form;
  if (removed === undefined || removed.name.slice(0, removed.name.lastIndexOf('.')) !== list) return '';
  const { name, held } = removed;
  const text = field.kind === 'list' ? entryTitleOf(field.fields, '', { entries: held }) : (held.get('')?.[0] ?? '');
  const kept = [...held].flatMap(([rest, values]) => values.map((value) => hidden(`${removedPrefix}${rest}`, value)));
  return html`<p class="removed small" role="status">Removed${text === '' ? '' : html`: “<bdi>${toVisible(text.slice(0, 80))}</bdi>”`}. ${buttonsOf(form)('restore', name, 'Put it back')}${kept}</p>`;
}

/** Returns a function that makes the buttons of a list; it returns '' if the form cannot be saved. */
const buttonsOf =
  ({ isEditable, focus }: ShownForm) =>
  (action: string, name: string, words: string, what?: string): Html | '' =>
    isEditable
      ? html`<button class="plain" name="do" value="${action} ${name}"${what === undefined ? '' : html` aria-label="${words}: ${toVisible(what)}"`}${focus === `${action} ${name}` ? ' autofocus' : ''}>${words}</button>`
      : '';

interface EntryForm extends ShownForm {
  readonly index: number;
  readonly count: number;
  /** The noun of an entry, such as `role`. */
  readonly entry: string;
}

/** The maximum of unfolded entries: one if the entries have lists of their own, otherwise four. */
const maxUnfolded = (fields: readonly Field[]): number => (fields.some(({ kind }) => kind === 'list') ? 1 : 4);

function entryOf(field: Field, name: string, form: EntryForm): Html {
  const { index, count, entry, isEditable } = form;
  const given = field.kind === 'list' ? entryTitleOf(field.fields, name, form) : '';
  const what = given === '' ? `${entry} ${index + 1}` : given;
  const button = buttonsOf(form);
  const actions = html`<span class="actions">${index > 0 ? button('up', name, 'Up', what) : ''}${index < count - 1 ? button('down', name, 'Down', what) : ''}${button('remove', name, 'Remove', what)}</span>`;
  if (field.kind !== 'list') {
    const fault = faultOf(name, form.faults.get(name));
    const finding = fault.attributes === '' ? findingOf(name, form) : '';
    const described = finding === '' ? '' : html` aria-describedby="${name}-finding"`;
    const begins = form.focus === name && fault.attributes === '' ? ' autofocus' : '';
    return html`<div class="line">${fault.line}${finding}<textarea id="${name}" name="${name}" rows="1" dir="auto" aria-label="${capitalize(what)}"${isEditable ? '' : ' readonly'}${fault.attributes}${described}${begins}>\n${form.entries.get(name)?.[0] ?? ''}</textarea>${actions}${field.kind === 'texts' && field.isPlaced ? placementBoxes(name, form) : ''}</div>`;
  }
  const title = html`<bdi>${given === '' ? `New ${entry}` : toVisible(given)}</bdi>`;
  const controls = html`${lineOf(name, form)}
<input type="hidden" name="${name}@" value="${form.entries.get(`${name}@`)?.[0] ?? ''}">
${controlsOfAll(innerControlsOf(field, name), form)}
${field.isPlaced ? placementBoxes(name, form) : ''}`;
  return count <= maxUnfolded(field.fields)
    ? html`<fieldset class="entry" id="${name}"><legend>${title}</legend>${actions}${controls}</fieldset>`
    : html`<fieldset class="entry folded" id="${name}" aria-label="${toVisible(what)}"><details${isToSee(name, form) ? ' open' : ''}><summary>${title}</summary>${controls}</details>${actions}</fieldset>`;
}

/** The first text of an entry, cut; '' if none. */
function entryTitleOf(fields: readonly Field[], name: string, { entries }: Pick<ShownForm, 'entries'>): string {
  const first = fields.find(({ key, kind }) => kind === 'text' && key !== 'id' && entries.get(`${name}.${key}`)?.[0]);
  return first === undefined ? '' : (entries.get(`${name}.${first.key}`)?.[0] ?? '').slice(0, 80);
}
