import { html } from 'hono/html';
import { defaultAccent } from '../../../../model/profile/accent.ts';
import { Colour } from '../../../../model/profile/resume-design.ts';
import { toVisible } from '../../../../model/text.ts';
import { faultOf } from '../../form.ts';
import { capitalize, contrastWords } from '../../format.ts';
import type { Html } from '../../page.ts';
import { type Field, fieldAt } from './fields.ts';
import { type Arrangement, countAt, type FormEntries, goesOnName, isLines } from './form-entries.ts';
import { labelOf, optionOf, rankOf } from './labels.ts';
import { placementBoxes } from './placement.ts';

/** A form as it is shown: what it holds, and the faults of the document by the names of its controls. */
interface ShownForm {
  readonly entries: FormEntries;
  readonly faults: ReadonlyMap<string, string>;
  readonly isEditable: boolean;
  /** The heading of the page, which a list or a group of that name does not repeat. */
  readonly title: string;
  /** The names of the views of the document. */
  readonly views: readonly string[];
  /** The id of the control to begin with, if there is one. */
  readonly focus?: string | null;
  /** The pictures to choose a value by, by the path of the field. */
  readonly pictures?: ReadonlyMap<string, Pictures>;
  /** Remarks on what is written in a control, by its name. */
  readonly findings?: ReadonlyMap<string, string>;
  /** Remarks below a field or a list, by its path, or beside an option of it, by `PATH.OPTION`. */
  readonly remarks?: ReadonlyMap<string, Html>;
  /** The titles of the entries of a list that can only be moved, by their values, by the path of the field. */
  readonly titles?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The pictures of the values of a choice. */
export interface Pictures {
  /** The label of the empty choice; that of the field unless given. */
  readonly none?: string;
  /** The address of the form with all pictures of the field, if only the one of the chosen value is shown otherwise. */
  readonly moreAddress: string | null;
  /** Returns the address of the picture of a value; null if the value cannot be shown. */
  addressOf(option: string): string | null;
}

/** Returns the controls of some fields: those that few write stand folded at the end. */
export function controlsOfAll(shown: readonly Control[], form: ShownForm): Html {
  const rare = shown.filter(([, field]) => isRare(field));
  const toControls = (some: readonly Control[]) => some.map(([name, field]) => controlsFor(field, name, form));
  return html`<div class="part-fields">${toControls(shown.filter(([, field]) => !isRare(field)))}</div>
${rare.length === 0 ? '' : html`<details class="rare"${rare.some(([name]) => isToSee(name, form)) ? ' open' : ''}><summary class="small">More${about(rare[0]![1])}</summary><div class="part-fields">${toControls(rare)}</div></details>`}`;
}

/** Says whose fields are folded, because those of an entry may stand beside those of the entry around it. */
function about({ path }: Field): string {
  const around = fieldAt(path.slice(0, Math.max(0, path.lastIndexOf('.'))));
  const { entry } = around === undefined ? {} : labelOf(around.path);
  return entry === undefined ? '' : ` about this ${entry}`;
}

type Control = readonly [name: string, field: Field];

/** Returns the controls in a group or an entry with a name, in their order. */
export const innerControlsOf = (field: Field, name: string): readonly Control[] =>
  'fields' in field ? inOrder(field.fields).map((inner) => [`${name}.${inner.key}`, inner]) : [];

const inOrder = (fields: readonly Field[]) => fields.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));

const isRare = ({ path }: Field): boolean => labelOf(path).isRare === true;

/** Whether something with a name, or in it, has a fault or a remark, or is to begin with. */
const isToSee = (name: string, { faults, findings, focus }: ShownForm): boolean =>
  [...faults.keys(), ...(findings?.keys() ?? []), focus ?? ''].some(
    (one) => one === name || one.replace(/^\w+ /, '').startsWith(`${name}.`),
  );

/** Returns the id of the control of a form to begin with after a change of one of its lists. */
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
  if (kind === 'choices') return boxesOf(field, name, form);
  if (kind === 'flag') return boxOf(field, name, form);
  const pictures = form.pictures?.get(path);
  if (kind === 'choice' && pictures !== undefined) return picturesOf(field, name, form, pictures);
  if (labelOf(path).isColour) return colourOf(field, name, form);
  return html`<div class="field${labelOf(path).isHalf ? ' half' : ''}">${labelled(field, name, form, (attributes) => inputOf(field, name, form, attributes))}${
    kind === 'date' && field.goesOn === 'by-box' ? tick(goesOnName(name), 'on', 'It goes on', form) : ''
  }</div>`;
}

/** A text field for a colour, to which a script adds a picker, above its contrast in words. */
function colourOf(field: Field, name: string, form: ShownForm): Html {
  const [value, ofPages] = [name, 'accent'].map((one) => form.entries.get(one)?.[0]?.trim() ?? '');
  const held = [value, ofPages].find(isColour) ?? defaultAccent;
  return html`<div class="field">${labelled(field, name, form, (attributes) => html`<span class="colour">${inputOf(field, name, form, html`${attributes} data-colour="${held}"`)}</span>`)}<p class="small soft" id="${name}-contrast" role="status">${isColour(value) ? contrastWords(value, field.path === 'accent') : ''}</p></div>`;
}

const isColour = (text: string | undefined): text is string => Colour.safeParse(text).success;

type Choice = Field & { readonly kind: 'choice' };

/** A control below its label and hint. */
function labelled({ kind, path }: Field, name: string, form: ShownForm, control: (attributes: Html) => Html): Html {
  const { label, hint = kind === 'texts' ? 'One on each line' : undefined } = labelOf(path);
  const fault = faultOf(name, form.faults.get(name));
  const finding = fault.attributes === '' ? findingOf(name, form) : '';
  const describing = [...(hint === undefined ? [] : [`${name}-hint`]), ...(finding === '' ? [] : [`${name}-finding`])];
  const isDescribed = describing.length > 0 && fault.attributes === '';
  const described = isDescribed ? html` aria-describedby="${describing.join(' ')}"` : '';
  const begins = form.focus === name && fault.attributes === '' ? ' autofocus' : '';
  return html`<label for="${name}">${label}</label>${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault.line}${finding}${control(html` id="${name}" name="${name}"${described}${fault.attributes}${begins}`)}`;
}

function inputOf(field: Field, name: string, { entries, isEditable }: ShownForm, attributes: Html): Html {
  const value = entries.get(name)?.[0] ?? '';
  const { isLong = false, none = 'Not chosen', usual } = labelOf(field.path);
  const fixed = isEditable ? '' : ' readonly';
  if (field.kind === 'choice')
    return html`<select${attributes}${isEditable ? '' : ' disabled'}><option value="">${none}</option>${optionsOf(
      field,
      value,
    )
      .filter((option) => optionOf(option) !== none || option === value)
      .map(
        (option) => html`<option value="${option}"${option === value ? ' selected' : ''}>${optionOf(option)}</option>`,
      )}</select>`;
  // HTML drops the first line break of a text area.
  if (isLong || field.kind === 'texts' || value.includes('\n'))
    return html`<textarea${attributes}${fixed} rows="${field.kind === 'texts' ? 3 : 2}" dir="auto">\n${value}</textarea>`;
  const mode = field.kind === 'number' ? html` inputmode="${field.isWhole ? 'numeric' : 'decimal'}"` : '';
  const list = `${field.path}-usual`;
  return html`<input${attributes}${mode}${fixed} value="${value}" dir="auto" autocomplete="off"${usual === undefined ? '' : html` list="${list}"`}>${usual === undefined ? '' : html`<datalist id="${list}">${usual.map((one) => html`<option value="${one}"${field.path === languagePath ? html` label="${languageNames.of(one)}"` : ''}></option>`)}</datalist>`}`;
}

const languagePath = 'resume.language';
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The options of a choice, and the value of the document if it is not one of them. */
const optionsOf = ({ options }: Choice, value: string): readonly string[] => [
  ...new Set([...options, ...(value === '' ? [] : [value])]),
];

function picturesOf(field: Choice, name: string, form: ShownForm, pictures: Pictures): Html {
  const { label, none = 'Not chosen' } = labelOf(field.path);
  const value = form.entries.get(name)?.[0] ?? '';
  const radio = (option: string, words: string, picture: Html | '' = '') =>
    html`<label class="tick">${picture}<input type="radio" name="${name}" value="${option}"${option === value ? ' checked' : ''}${form.isEditable ? '' : ' disabled'}> ${words}</label>`;
  const toPicture = (option: string, isLater: boolean) => {
    const address = field.options.includes(option) ? pictures.addressOf(option) : null;
    if (address === null) return '';
    // Without scripts browsers load all images at once, also those that are folded and lazy.
    return isLater
      ? html`<span data-picture="${address}"></span>`
      : html`<img src="${address}" alt="" width="240" height="180" loading="lazy">`;
  };
  const list = (options: readonly string[], isLater = false) =>
    options.length === 0
      ? ''
      : html`<div class="picture-list">${options.map((option) => radio(option, optionOf(option), toPicture(option, isLater)))}</div>`;
  const options = optionsOf(field, value);
  const chosen = options.filter((option) => option === value);
  const others = options.filter((option) => option !== value);
  return html`<fieldset class="pictures" id="${name}"><legend>${label}</legend>${hintOf(field)}${lineOf(name, form)}
${radio('', pictures.none ?? none)}
${
  pictures.moreAddress === null
    ? list(options)
    : html`${list(chosen)}<details><summary class="small">${chosen.length === 0 ? 'Choose by pictures' : 'Others'}</summary><noscript><p class="small"><a href="${pictures.moreAddress}">Load the pictures</a>, after you have saved what you changed</p></noscript>${list(others, true)}</details>`
}</fieldset>`;
}

function boxesOf(field: Field & { readonly kind: 'choices' }, name: string, form: ShownForm): Html {
  return html`<fieldset class="boxes" id="${name}"><legend>${labelOf(field.path).label}</legend>${hintOf(field)}${lineOf(name, form)}
${field.options.map((option) => tick(name, option, html`${optionOf(option)}${form.remarks?.get(`${field.path}.${option}`) ?? ''}`, form))}</fieldset>${form.remarks?.get(field.path) ?? ''}`;
}

const boxOf = (field: Field, name: string, form: ShownForm): Html =>
  html`<div class="field" id="${name}">${tick(name, 'on', labelOf(field.path).label, form)}${hintOf(field)}${lineOf(name, form)}</div>`;

const tick = (name: string, value: string, label: Html | string, { entries, isEditable }: ShownForm): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${entries.get(name)?.includes(value) ? ' checked' : ''}${isEditable ? '' : ' disabled'}> ${label}</label>`;

/** The line of a fault that is of no single control. */
function lineOf(name: string, form: ShownForm): Html | string {
  const fault = form.faults.get(name);
  return fault === undefined ? findingOf(name, form) : faultOf(name, fault).line;
}

function findingOf(name: string, { findings }: ShownForm): Html | '' {
  const finding = findings?.get(name);
  return finding === undefined ? '' : html`<p class="attention small" id="${name}-finding">${toVisible(finding)}</p>`;
}

function hintOf({ path }: Field): Html | '' {
  const { hint } = labelOf(path);
  return hint === undefined ? '' : html`<p class="hint">${hint}</p>`;
}

const legendOf = (label: string, { title }: ShownForm): Html =>
  html`<legend${label === title ? html` class="unseen"` : ''}>${label}</legend>`;

function listOf(field: Field, name: string, form: ShownForm): Html {
  const { label, entry = 'entry' } = labelOf(field.path);
  const count = countAt(form.entries, name);
  const button = buttonsOf(form);
  return html`<fieldset class="list" id="${name}">${legendOf(label, form)}${hintOf(field)}${lineOf(name, form)}
<input type="hidden" name="${name}#" value="${count}">
${Array.from({ length: count }, (_, index) => entryOf(field, `${name}.${index}`, { ...form, index, count, entry }))}
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

/** Returns a maker of buttons that change a list; there are none in a form that cannot be saved. */
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

/** Returns of how many entries more each stands folded: of those that have lists of their own, two are long. */
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

/** The first texts that name an entry. */
function entryTitleOf(fields: readonly Field[], name: string, { entries }: Pick<ShownForm, 'entries'>): string {
  const first = fields.find(({ key, kind }) => kind === 'text' && key !== 'id' && entries.get(`${name}.${key}`)?.[0]);
  return first === undefined ? '' : (entries.get(`${name}.${first.key}`)?.[0] ?? '').slice(0, 80);
}
