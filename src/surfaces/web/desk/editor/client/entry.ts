import { signal } from '@preact/signals';
import { type ComponentType, Fragment, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toPath, toPointer } from '../../../../../model/profile/patch.ts';
import type { Finding, Path } from '../../../../../model/profile/working-copy.ts';
import type { Field } from '../fields.ts';
import { labelOf, optionOf } from '../labels.ts';
import { DateField, printedDate } from './dates.ts';
import { Lines } from './lines.ts';
import {
  dropInto,
  focusFirst,
  Menu,
  type MenuOption,
  memo,
  movesOf,
  onMoveKey,
  siblingsOf,
  useSortable,
} from './moving.ts';
import { type PlacedField, placedIn, type Spot } from './places.ts';
import { keepOpen, listOf, mapOf, nameOf } from './sections.ts';
import { editor } from './state.ts';
import { Findings, fieldPathOf, focusText, Text, Ticks, tickOf, write } from './text.ts';
import { announce, go, html, page, wanted } from './ui.ts';

/** The pointer of the entry that has the focus, or last had it: what could be there is offered in it. */
export const active = signal('');

/** The pointer of the entry that was added last: a job asks whether the one before has ended. */
const added = signal('');

export const isIn = (pointer: string, at: string): boolean => `${pointer}/`.startsWith(`${at}/`);

/** Whether a value holds nothing that was typed or chosen. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isBlank));

/** Adds an entry to a list, the newest first if they have dates, and puts the caret into it. */
export function addEntry(list: Path, value: unknown = {}): void {
  const path = fieldPathOf(toPointer(list));
  const isDated = page().fields[`${path}.start_date`] !== undefined && list.length < 4;
  const index = isDated || path.startsWith('experience') ? 0 : listOf(editor.at(list)).length;
  editor.insert([...list, index], value);
  const at = toPointer([...list, index]);
  active.value = added.value = at;
  focusFirst(at);
}

/** What the fields of an entry or a map need of it. */
export interface Surroundings {
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The name of the entry, for screen readers; '' in the head. */
  readonly name: string;
  readonly isActive: boolean;
  readonly findings: readonly Finding[];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a field is the end of a job that has none, so that it goes on. */
const goesOn = (field: Field, { start_date, [field.key]: value }: Surroundings['values']): boolean =>
  field.kind === 'date' && field.goesOn === 'if-empty' && value === undefined && start_date !== undefined;

/** Whether a field is shown: it has a value or a finding, heads the entry, or is offered because the entry has the focus. */
const isShown = ({ spot, field }: PlacedField, { at, values, isActive, findings }: Surroundings): boolean =>
  [isActive, spot === 'title', !isEmpty(values[field.key]), goesOn(field, values)].includes(true) ||
  findings.some(({ pointer }) => pointer === `${at}/${field.key}`);

/** Shows a field where it stands, in a row without its findings; null if it is not shown now. */
export function fieldView(placed: PlacedField, around: Surroundings, isInRow = false): VNode | null {
  if (!isShown(placed, around)) return null;
  const found = !isInRow && findingsOf(placed, around);
  // Its element stays when others come before it.
  return html`<${Fragment} key=${placed.field.key}>${controlOf(placed, around)}${found}</${Fragment}>`;
}

const findingsOf = ({ field }: PlacedField, around: Surroundings) =>
  html`<${Findings} ...${around} at=${`${around.at}/${field.key}`} />`;

function controlOf({ field, spot, ghost }: PlacedField, around: Surroundings): VNode {
  const { at, values, isActive, findings } = around;
  const { key, kind } = field;
  const [here, value] = [`${at}/${key}`, values[key]];
  const { label, entry = 'line' } = labelOf(field.path);
  const name = around.name === '' ? label : `${label} of ${around.name}`;
  const isInvalid = findings.some((one) => one.pointer === here && (one.kind === 'fault' || isEmpty(value)));
  const shared = { at: here, value, name, field, isInvalid, ghost: ghost || label, findings, isActive };
  if (kind === 'texts') {
    const [noun, isChips] = [entry.charAt(0).toUpperCase() + entry.slice(1), spot === 'chips' || spot === 'section'];
    const lines = {
      noun,
      isChips,
      hasCommas: isChips && key !== 'authors',
      of: around.name,
      ghost: ghost || `Add a ${entry}`,
    };
    return html`<${Lines} ...${shared} ...${lines} />`;
  }
  if (kind === 'date') {
    return html`<${DateField} ...${shared} value=${goesOn(field, values) ? null : value} />`;
  }
  if (kind === 'group') {
    const inner = { ...around, at: here, values: mapOf(value) };
    return html`<p>${placedIn(field.path, page().fields).map((one) => fieldView(one, inner))}</p>`;
  }
  if (kind === 'choice' || kind === 'flag') return choiceOf(field, here, value);
  const isLong = (spot === 'prose' || spot === 'about') && key !== 'score';
  const isLink = spot === 'link' || (key === 'url' && spot === 'title');
  const look = { isLong, tag: isLong ? 'div' : 'span', class: isLink ? 'link' : `is-${spot}` };
  return html`<${Text} ...${shared} ...${look} onLeave=${() => isLink && completeAddress(here)} />`;
}

/** Adds the scheme to an address that was typed without. */
function completeAddress(at: string): void {
  const typed = String(editor.at(toPath(at)) ?? '').trim();
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?:[/:?#]\S*)?$/i.test(typed)) write(at, `https://${typed}`);
}

function choiceOf(field: Field, at: string, value: unknown): VNode {
  const { label, none = 'Not chosen' } = labelOf(field.path);
  const set = ({ currentTarget: control }: { currentTarget: HTMLInputElement }) =>
    editor.set(toPath(at), field.kind === 'flag' ? control.checked : control.value);
  const shared = { 'data-at': at, 'aria-label': label, onChange: set };
  if (field.kind !== 'choice') return html`<input type="checkbox" checked=${value === true} ...${shared} />`;
  const options = field.options.filter((option) => optionOf(option) !== none || option === value);
  return html`<select ...${shared}><option value="">${none}</option>
    ${options.map((one) => html`<option value=${one} selected=${one === value}>${optionOf(one)}</option>`)}</select>`;
}

/** A field with what it needs of its entry. */
interface DrawerFieldProps {
  readonly placed: PlacedField;
  readonly around: Surroundings;
}

/** A field below its label, with its hint. */
export function DrawerField({ placed, around }: DrawerFieldProps): VNode {
  const { label, hint } = labelOf(placed.field.path);
  const of = around.at.includes('/roles/') && ` of ${around.name}`;
  const shown = fieldView(placed, { ...around, isActive: true });
  return html`<div class="drawer-field"><span>${label}${of}</span>${shown}${hint && html`<small>${hint}</small>`}</div>`;
}

/** *All fields*: what an entry can have besides. It opens when one of its places is gone to. */
export function Drawer({ fields }: { readonly fields: readonly DrawerFieldProps[] }): VNode | null {
  const place = wanted.value && toPointer(wanted.value);
  const isWanted = fields.some(({ placed, around }) => place && isIn(place, `${around.at}/${placed.field.key}`));
  if (fields.length === 0) return null;
  return html`<details class="all-fields" open=${isWanted}><summary>All fields</summary>
    <div class="drawer">${fields.map((field) => html`<${DrawerField} ...${field} />`)}</div></details>`;
}

/** Whether a field is on the paper only if it has a value, and else in *All fields*. */
const isQuiet = (spot: Spot, { kind }: Field): boolean => spot === 'about' || (spot === 'link' && kind !== 'group');

const inDrawer = (path: string) =>
  placedIn(path, page().fields).filter(({ spot, field }) => isQuiet(spot, field) || spot === 'drawer');

interface EntryProps {
  readonly at: string;
  readonly value: unknown;
  /** The part of `active` that concerns it: a pointer in it, or ''. */
  readonly activeAt: string;
  readonly findings: readonly Finding[];
  readonly class?: string;
}

/** An entry of a list: a company, a role in it, a school, a group of skills. */
export const Entry: ComponentType<EntryProps> = memo(function EntryView(props: EntryProps): VNode {
  const { at, value, activeAt, findings } = props;
  const path = toPath(at);
  const [list, index] = [path.slice(0, -1), Number(path.at(-1))];
  const listPath = fieldPathOf(at);
  const name = nameOf(value) || `the new ${labelOf(listPath).entry ?? 'entry'}`;
  const { tick, look, isEditable } = tickOf(useContext(Ticks), path, name);
  const isActive = activeAt !== '' && isEditable;
  const values = typeof value === 'string' ? { text: value } : mapOf(value);
  const around: Surroundings = { at, values, name, isActive, findings };
  const isRole = listPath === 'experience.roles';

  // An entry of an own section is a paragraph, a line with a bullet, or something with a name.
  const kind = listPath === 'resume.sections.entries' && (['text', 'bullet'].find((key) => key in values) ?? 'name');
  const isOffered = ({ spot, field }: PlacedField) => {
    const { key } = field;
    if (!isEmpty(values[key])) return true;
    if (kind === false || isQuiet(spot, field)) return !isQuiet(spot, field);
    const isDated = key === 'date' ? !('start_date' in values) : !(key.endsWith('_date') && 'date' in values);
    return kind === 'name' && key !== 'text' && key !== 'bullet' && isDated;
  };
  const fieldsAt = (...spots: readonly Spot[]) =>
    placedIn(listPath, page().fields).filter(
      (one) => spots.includes(one.spot) && isOffered(one) && isShown(one, around),
    );
  const row = (left: Spot, right: Spot) => {
    const [texts, beside] = [fieldsAt(left), fieldsAt(right)];
    if (texts.length + beside.length === 0) return null;
    const viewOf = (one: PlacedField) => fieldView(one, around, true);
    const [dates, places] = [true, false].map((isDate) =>
      beside.filter(({ field }) => (field.kind === 'date') === isDate).map(viewOf),
    );
    const isEndAlone = dates!.length === 1 && beside.some(({ field }) => field.key === 'end_date');
    const period = dates!.flatMap((date, position) => (position > 0 || isEndAlone ? [' – ', date] : [date]));
    return html`<div class="entry-row"><span class=${`entry-left entry-${left}`}>${texts.map(viewOf)}</span>
      <span class="entry-right">${places}${period}</span></div>${[...texts, ...beside].map((one) => findingsOf(one, around))}`;
  };
  const whole = () => html`${row('title', 'title-right')}${row('sub', 'sub-right')}
    ${fieldsAt('prose', 'about', 'lines', 'chips', 'link').map((one) => fieldView(one, around))}
    ${listPath === 'experience' && html`<${Roles} ...${props} at=${`${at}/roles`} value=${values.roles} />`}
    ${isActive && added.value === at && html`<${OtherJobs} at=${at} />`}`;
  const content =
    kind === 'text' || kind === 'bullet'
      ? html`<${Paragraph} ...${around} kind=${kind} isPlain=${typeof value === 'string'} />`
      : whole();
  const hasActions =
    isActive &&
    (!isRole || (isIn(activeAt, at) && listOf(editor.at(list)).length > 1)) &&
    !(listOf(values.roles).length > 1 && isIn(activeAt, `${at}/roles`));
  const classes = `entry is-movable${isRole ? ' role' : ''} ${props.class ?? ''}${isActive ? ' is-open' : ''}${nameOf(value) ? '' : ' is-nameless'}${look}`;
  return html`<article data-entry=${at} data-at=${at} aria-label=${name} class=${classes} onKeyDown=${(event: KeyboardEvent) => onMoveKey(event, list, index)}>
    ${tick}${isEditable && html`<span class="grip" aria-hidden="true"></span>`}${content}
    ${typeof value !== 'string' && html`<${Findings} at=${at} findings=${findings} isActive=${isActive} />`}
    ${hasActions && html`<${Actions} ...${around} />`}</article>`;
});

interface ParagraphProps extends Surroundings {
  readonly kind: 'text' | 'bullet';
  /** Whether the entry is a text itself. */
  readonly isPlain: boolean;
}

/** A paragraph of an own section, or a line, in which Enter begins the next entry. */
function Paragraph({ at, values, findings, isActive, kind, isPlain }: ParagraphProps): VNode {
  const pointer = isPlain ? at : `${at}/${kind}`;
  const [list, index] = [toPath(at).slice(0, -1), Number(toPath(at).at(-1))];
  const isLine = kind === 'bullet';
  const goTo = (one: number, offset: number) => {
    active.value = toPointer([...list, one]);
    focusText(`${active.value}/bullet`, offset);
  };
  const putLines = (lines: readonly string[], afterLength: number) => {
    editor.step(() => {
      editor.set(toPath(pointer), lines[0]);
      for (const [offset, bullet] of lines.entries())
        if (offset > 0) editor.insert([...list, index + offset], { bullet });
    });
    goTo(index + lines.length - 1, lines.at(-1)!.length - afterLength);
  };
  const join = (direction: -1 | 1) => {
    const { bullet: before } = mapOf(editor.at([...list, index - 1]));
    if (direction === 1 || typeof before !== 'string') return;
    editor.step(() => {
      editor.set([...list, index - 1, 'bullet'], before + String(values[kind] ?? ''));
      editor.remove([...list, index]);
    });
    goTo(index - 1, before.length);
  };
  const asLine = isLine && {
    onEnter: (before: string, after: string) => putLines([before, after], after.length),
    onLines: putLines,
    onJoin: join,
  };
  const [noun, ghost] = isLine ? ['Line', 'A line with a bullet'] : ['Paragraph', 'A paragraph'];
  const text = html`<${Text} at=${pointer} value=${values[kind]} name=${`${noun} ${index + 1}`} tag="div" ghost=${ghost} isLong
    isLine=${isLine} ...${asLine} /><${Findings} at=${pointer} findings=${findings} isActive=${isActive} />`;
  return isLine ? html`<ul class="bullets"><li class="bullet">${text}</li></ul>` : html`${text}`;
}

function Roles({ at, value, activeAt, findings }: EntryProps): VNode {
  const isActive = activeAt !== '';
  const element = useSortable('roles', isActive, (from, to, list) => dropInto(at, from, to, list));
  // A company without roles offers the first one.
  const shown = listOf(value).length > 0 || !isActive ? listOf(value) : [{}];
  const role = (one: unknown, index: number) => {
    const isOpen = shown.length === 1 || isIn(activeAt, `${at}/${index}`);
    return html`<${Entry} key=${index} at=${`${at}/${index}`} value=${one} findings=${findings} activeAt=${isOpen ? activeAt : ''} />`;
  };
  return html`<div ref=${element} data-list=${at}>${shown.map(role)}</div>`;
}

/** What can be done with an entry. */
function Actions(around: Surroundings): VNode {
  const { at, name, values } = around;
  const path = toPath(at);
  const [list, index] = [path.slice(0, -1), Number(path.at(-1))];
  const isRole = list.at(-1) === 'roles';
  const roles = fieldPathOf(at) === 'experience' ? listOf(values.roles).map(mapOf) : [];
  const fields = inDrawer(fieldPathOf(at)).map((placed) => ({ placed, around }));
  const ofRoles = roles.flatMap((role, one) => {
    const inner = { ...around, at: `${at}/roles/${one}`, values: role, name: nameOf(role) };
    return inDrawer('experience.roles').map((placed) => ({ placed, around: inner }));
  });
  /** Other companies, to which a role can go; a company that has no other goes with it. */
  const companies = (): MenuOption[] => {
    const [, from] = path as readonly [string, number];
    const role = isRole ? path : roles.length === 1 && [...path, 'roles', 0];
    const isLast = listOf(editor.at(['experience', from, 'roles'])).length === 1;
    return listOf(editor.at(['experience'])).flatMap((job, other): MenuOption[] => {
      if (!role || from === other) return [];
      const to = ['experience', other - Number(isLast && other > from), 'roles', 0];
      const move = () => {
        editor.step(() => {
          editor.move(role, ['experience', other, 'roles', 0]);
          if (isLast) editor.remove(['experience', from]);
        });
        announce(`${nameOf(editor.at(to))}, now at ${nameOf(job)}`);
        active.value = toPointer(to);
        focusFirst(active.value);
      };
      const company = nameOf(job) || `the company of ${nameOf(listOf(mapOf(job).roles)[0]) || 'a new role'}`;
      return [[`${isRole ? 'To' : 'The role to'} ${company}`, move]];
    });
  };
  const remove = () => {
    const next = siblingsOf(list, index).find((one) => one !== index);
    keepOpen(list);
    editor.remove(path);
    announce(`${name} removed. Undo brings it back.`);
    active.value = '';
    if (next !== undefined) focusFirst(toPointer([...list, next > index ? next - 1 : next]));
    else go(list);
  };
  const add = () => addEntry(isRole ? list : [...path, 'roles']);
  return html`<div class="entry-actions">
    ${(isRole || roles.length > 0) && html`<button type="button" onClick=${add}>+ Role at this company</button>`}
    <${Menu} text="Move to …" label=${`Move to …: ${name}`} options=${() => [...movesOf(list, index), ...companies()]} />
    <button type="button" onClick=${remove}>Remove</button>
    <${Drawer} fields=${[...fields, ...ofRoles]} /></div>`;
}

/** Asks, in a job that was just added and goes on, whether another one has ended. */
function OtherJobs({ at }: { readonly at: string }): VNode | null {
  const jobs = listOf(mapOf(editor.document.value).experience).map(mapOf);
  const rolesOf = (index: number) => listOf(jobs[index]?.roles).map(mapOf);
  const [own] = rolesOf(Number(toPath(at)[1]));
  if (!/^\/experience\/\d+$/.test(at) || own?.start_date === undefined || own.end_date != null) return null;
  const open = [...jobs.keys()].flatMap((index) =>
    rolesOf(index).flatMap((role, one) =>
      role.end_date == null && !at.endsWith(`/${index}`) ? [{ index, one, role }] : [],
    ),
  );
  const [other] = open;
  if (other === undefined) return null;
  const name = [other.role.title, jobs[other.index]!.company].filter(Boolean).join(', ');
  const end = {
    at: `/experience/${other.index}/roles/${other.one}/end_date`,
    field: page().fields['experience.roles.end_date'],
  };
  const close = () => {
    added.value = '';
  };
  return html`<p role="status">Has ${name} (since ${printedDate(other.role.start_date)}) ended?${' '}
    <${DateField} ...${end} name=${`End of ${name}`} ghost="It ended in …" near=${own.start_date} />${' '}
    <button type="button" onClick=${close}>It goes on</button></p>`;
}
