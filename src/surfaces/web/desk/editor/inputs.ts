import { html } from 'hono/html';
import { defaultAccent } from 'resume-profile/accent';
import { Colour } from 'resume-profile/resume-design';
import { languageNameOf } from 'resume-profile/resume-language';
import { toVisible } from 'resume-profile/text';
import { faultOf } from '../../form.ts';
import { contrastWords } from '../../format.ts';
import type { Html } from '../../page.ts';
import type { Removed } from './arrangement.ts';
import type { Field } from './fields.ts';
import { type FormEntries, goesOnName } from './form-entries.ts';
import { labelOf, optionOf } from './labels.ts';

/** A form to be shown: its values, and the faults of the document by the names of its controls. */
export interface ShownForm {
  readonly entries: FormEntries;
  readonly faults: ReadonlyMap<string, string>;
  readonly isEditable: boolean;
  /** The heading of the page, which a list or a group of the same name does not repeat. */
  readonly title: string;
  /** The names of the views of the document. */
  readonly views: readonly string[];
  /** The id of the control that gets the focus, if there is one. */
  readonly focus?: string | null;
  /** The entry that was just removed, which can be put back. */
  readonly removed?: Removed | undefined;
  /** The pictures to choose a value by, by the path of the field. */
  readonly pictures?: ReadonlyMap<string, Pictures>;
  /** Remarks on what is written in a control, by its name. */
  readonly findings?: ReadonlyMap<string, string>;
  /** Remarks below a field or a list, by its path, or beside an option of it, by `PATH.OPTION`. */
  readonly remarks?: ReadonlyMap<string, Html>;
  /** The titles of entries by their values, by the path of the list, whose entries can only be moved. */
  readonly titles?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The pictures of the values of a choice. */
export interface Pictures {
  /** The label of the empty choice; by default the field's `none`. */
  readonly none?: string;
  /** The address of the form with all pictures of the field; null if it has them already. */
  readonly moreAddress: string | null;
  /** Returns the address of the picture of a value; null if the value cannot be shown. */
  addressOf(option: string): string | null;
}

/** Returns the control of a field that is neither a list nor a group, with label, hint and fault. */
export function inputOf(field: Field, name: string, form: ShownForm): Html {
  const { kind, path } = field;
  if (kind === 'choices') return boxesOf(field, name, form);
  if (kind === 'flag') return boxOf(field, name, form);
  const pictures = form.pictures?.get(path);
  if (kind === 'choice' && pictures !== undefined) return picturesOf(field, name, form, pictures);
  if (labelOf(path).isColour) return colourOf(field, name, form);
  return html`<div class="field${labelOf(path).isHalf ? ' half' : ''}">${labelled(field, name, form, (attributes) => elementOf(field, name, form, attributes))}${
    kind === 'date' && field.goesOn === 'by-box' ? tick(goesOnName(name), 'on', 'It goes on', form) : ''
  }</div>`;
}

/** A text field for a colour, to which a script adds a picker, above its contrast in words. */
function colourOf(field: Field, name: string, form: ShownForm): Html {
  const [value, ofPages] = [name, 'accent'].map((one) => form.entries.get(one)?.[0]?.trim() ?? '');
  const held = [value, ofPages].find(isColour) ?? defaultAccent;
  return html`<div class="field">${labelled(field, name, form, (attributes) => html`<span class="colour">${elementOf(field, name, form, html`${attributes} data-colour="${held}"`)}</span>`)}<p class="small soft" id="${name}-contrast" role="status">${isColour(value) ? contrastWords(value, field.path === 'accent') : ''}</p></div>`;
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

function elementOf(field: Field, name: string, { entries, isEditable }: ShownForm, attributes: Html): Html {
  const value = entries.get(name)?.[0] ?? '';
  const { isLong = false, isLanguage = false, none = 'Not chosen', usual } = labelOf(field.path);
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
  return html`<input${attributes}${mode}${fixed} value="${value}" dir="auto" autocomplete="off"${usual === undefined ? '' : html` list="${list}"`}>${usual === undefined ? '' : html`<datalist id="${list}">${usual.map((one) => html`<option value="${one}"${isLanguage ? html` label="${languageNameOf(one)}"` : ''}></option>`)}</datalist>`}`;
}

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
    // Without scripts, browsers load all images at once, including folded and lazy ones.
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

/** The fault or the remark of a list, a group or an entry. */
export function lineOf(name: string, form: ShownForm): Html | string {
  const fault = form.faults.get(name);
  return fault === undefined ? findingOf(name, form) : faultOf(name, fault).line;
}

export function findingOf(name: string, { findings }: ShownForm): Html | '' {
  const finding = findings?.get(name);
  return finding === undefined ? '' : html`<p class="attention small" id="${name}-finding">${toVisible(finding)}</p>`;
}

export function hintOf({ path }: Field): Html | '' {
  const { hint } = labelOf(path);
  return hint === undefined ? '' : html`<p class="hint">${hint}</p>`;
}
