import { html } from 'hono/html';
import { toVisible } from '../../../../model/text.ts';
import { faultOf } from '../../form.ts';
import { capitalize } from '../../format.ts';
import type { Html } from '../../page.ts';
import type { Field } from './fields.ts';
import { countAt, type FormEntries, goesOnName, isLines } from './form-entries.ts';
import { labelOf, optionOf, rankOf } from './labels.ts';

/** A form as it is shown: what it holds, and the faults of the document by the names of its controls. */
export interface ShownForm {
  readonly entries: FormEntries;
  readonly faults: ReadonlyMap<string, string>;
}

/** Returns the controls of some fields: those that few write stand folded at the end. */
export function controlsOfAll(fields: readonly Field[], name: string, form: ShownForm): Html {
  const shown = fields.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const isRare = ({ path }: Field) => labelOf(path).isRare === true;
  const rare = shown.filter(isRare);
  const toControls = (some: readonly Field[]) => some.map((field) => controlsFor(field, `${name}.${field.key}`, form));
  return html`<div class="part-fields">${toControls(shown.filter((field) => !isRare(field)))}</div>
${rare.length === 0 ? '' : html`<details class="rare"${rare.some(({ key }) => form.faults.has(`${name}.${key}`)) ? ' open' : ''}><summary class="small">More</summary><div class="part-fields">${toControls(rare)}</div></details>`}`;
}

/** Returns the controls of a field, with label, hint and fault. */
export function controlsFor(field: Field, name: string, form: ShownForm): Html {
  const { kind, path } = field;
  const { label } = labelOf(path);
  if (kind === 'list') return listOf(field, name, form);
  if (kind === 'texts' && form.entries.has(`${name}#`)) return listOf(field, name, form);
  if (kind === 'texts' && !isLines(field, [])) return listOf(field, name, form);
  if (kind === 'group')
    return html`<fieldset><legend>${label}</legend>${lineOf(name, form)}${controlsOfAll(field.fields, name, form)}</fieldset>`;
  if (kind === 'choices') return boxesOf(field, name, form);
  if (kind === 'flag') return boxOf(field, name, form);
  return html`<div class="field${labelOf(path).isHalf ? ' half' : ''}">${labelled(field, name, form, (attributes) => inputOf(field, name, form, attributes))}${
    kind === 'date' && field.goesOn === 'by-box' ? tick(goesOnName(name), 'on', 'It goes on', form) : ''
  }</div>`;
}

/** A control below its label and hint. */
function labelled({ path }: Field, name: string, form: ShownForm, control: (attributes: Html) => Html): Html {
  const { label, hint } = labelOf(path);
  const fault = faultOf(name, form.faults.get(name));
  const described = hint === undefined || fault.attributes !== '' ? '' : html` aria-describedby="${name}-hint"`;
  return html`<label for="${name}">${label}</label>${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault.line}${control(html` id="${name}" name="${name}"${described}${fault.attributes}`)}`;
}

function inputOf(field: Field, name: string, { entries }: ShownForm, attributes: Html): Html {
  const value = entries.get(name)?.[0] ?? '';
  const { isLong = false } = labelOf(field.path);
  if (field.kind === 'choice')
    return html`<select${attributes}><option value=""></option>${[
      ...new Set([...field.options, ...(value === '' ? [] : [value])]),
    ].map(
      (option) => html`<option value="${option}"${option === value ? ' selected' : ''}>${optionOf(option)}</option>`,
    )}</select>`;
  // HTML drops the first line break of a text area.
  if (isLong || field.kind === 'texts' || value.includes('\n'))
    return html`<textarea${attributes} rows="${field.kind === 'texts' ? 3 : 2}" dir="auto">\n${value}</textarea>`;
  const mode = field.kind === 'number' ? html` inputmode="${field.isWhole ? 'numeric' : 'decimal'}"` : '';
  return html`<input${attributes}${mode} value="${value}" dir="auto" autocomplete="off">`;
}

function boxesOf(field: Field & { readonly kind: 'choices' }, name: string, form: ShownForm): Html {
  const { label, hint } = labelOf(field.path);
  return html`<fieldset class="boxes"><legend>${label}</legend>${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}${lineOf(name, form)}
${field.options.map((option) => tick(name, option, optionOf(option), form))}</fieldset>`;
}

const boxOf = ({ path }: Field, name: string, form: ShownForm): Html =>
  html`<div class="field">${tick(name, 'on', labelOf(path).label, form)}${labelOf(path).hint === undefined ? '' : html`<p class="hint">${labelOf(path).hint}</p>`}${lineOf(name, form)}</div>`;

const tick = (name: string, value: string, label: string, { entries }: ShownForm): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${entries.get(name)?.includes(value) ? ' checked' : ''}> ${label}</label>`;

/** The line of a fault that is of no single control. */
const lineOf = (name: string, { faults }: ShownForm) => faultOf(name, faults.get(name)).line;

function listOf(field: Field, name: string, form: ShownForm): Html {
  const { label, hint, entry = 'entry' } = labelOf(field.path);
  const count = countAt(form.entries, name);
  return html`<fieldset class="list"><legend>${label}</legend>${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}${lineOf(name, form)}
<input type="hidden" name="${name}#" value="${count}">
${Array.from({ length: count }, (_, index) => entryOf(field, `${name}.${index}`, { ...form, index, count, entry }))}
<button class="plain" name="do" value="add ${name}">Add ${article(entry)} ${entry}</button>
</fieldset>`;
}

interface EntryForm extends ShownForm {
  readonly index: number;
  readonly count: number;
  /** What an entry is called. */
  readonly entry: string;
}

function entryOf(field: Field, name: string, form: EntryForm): Html {
  const { index, count, entry } = form;
  const title = field.kind === 'list' ? entryTitleOf(field.fields, name, form) : '';
  const what = title === '' ? `${entry} ${index + 1}` : title;
  const button = (action: string, words: string) =>
    html`<button class="plain" name="do" value="${action} ${name}" aria-label="${words}: ${toVisible(what)}">${words}</button>`;
  const actions = html`<span class="actions">${index > 0 ? button('up', 'Up') : ''}${index < count - 1 ? button('down', 'Down') : ''}${button('remove', 'Remove')}</span>`;
  if (field.kind !== 'list')
    return html`<div class="line">${lineOf(name, form)}<textarea id="${name}" name="${name}" rows="1" dir="auto" aria-label="${capitalize(what)}">\n${form.entries.get(name)?.[0] ?? ''}</textarea>${actions}</div>`;
  return html`<fieldset class="entry"><legend><bdi>${title === '' ? `New ${entry}` : toVisible(title)}</bdi></legend>${actions}${lineOf(name, form)}
<input type="hidden" name="${name}@" value="${form.entries.get(`${name}@`)?.[0] ?? ''}">
${controlsOfAll(field.fields, name, form)}</fieldset>`;
}

/** The first texts that name an entry. */
function entryTitleOf(fields: readonly Field[], name: string, { entries }: Pick<ShownForm, 'entries'>): string {
  const first = fields.find(({ key, kind }) => kind === 'text' && key !== 'id' && entries.get(`${name}.${key}`)?.[0]);
  return first === undefined ? '' : (entries.get(`${name}.${first.key}`)?.[0] ?? '').slice(0, 80);
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
