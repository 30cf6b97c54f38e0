import { signal, useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { toPath, toPointer } from '../../../../../model/profile/patch.ts';
import type { Finding, Path } from '../../../../../model/profile/working-copy.ts';
import type { Field } from '../fields.ts';
import { labelOf, optionOf } from '../labels.ts';
import { DateField, printedDate } from './dates.ts';
import { Lines } from './lines.ts';
import { dropInto, focusFirst, MoveMenu, memo, onMoveKey, siblingsOf, useSortable } from './moving.ts';
import { type PlacedField, placedIn } from './places.ts';
import { listOf, mapOf, nameOf } from './sections.ts';
import { editor } from './state.ts';
import { Findings, fieldPathOf, focusText, Text, Ticks, write } from './text.ts';
import { announce, html, Popover, page, wanted } from './ui.ts';

/** The pointer of the entry that has the focus, or last had it: what could be there is offered in it. */
export const active = signal('');

/** The pointer of the job that was added last: it asks whether the one before has ended. */
const added = signal('');

const isIn = (pointer: string, at: string): boolean => `${pointer}/`.startsWith(`${at}/`);

/** Whether a value holds nothing that was typed or chosen. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isBlank));

/** Adds an entry to a list and puts the caret into it. */
export function addEntry(list: Path, value: unknown = {}, index = listOf(editor.at(list)).length): void {
  editor.insert([...list, index], value);
  const at = toPointer([...list, index]);
  active.value = at;
  added.value = at;
  requestAnimationFrame(() => focusFirst(at));
}

/** What an entry's fields need of it. */
interface Surroundings {
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The name of the entry, for screen readers. */
  readonly name: string;
  readonly isActive: boolean;
  readonly findings: readonly Finding[];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Shows a field where it stands; null if it is empty and not offered now. */
export function fieldView({ field, spot, ghost }: PlacedField, around: Surroundings, tag = 'span'): VNode | null {
  const { at, values, name, isActive, findings } = around;
  const here = `${at}/${field.key}`;
  const value = values[field.key];
  if (isEmpty(value) && !isActive && spot !== 'title') return null;
  const { label } = labelOf(field.path);
  const named = `${label} of ${name}`;
  const isInvalid = findings.some(({ kind, pointer }) => kind === 'fault' && pointer === here);
  const found = html`<${Findings} at=${here} findings=${findings} isActive=${isActive} />`;
  if (field.kind === 'texts') {
    const { entry = 'line' } = labelOf(field.path);
    const noun = entry.charAt(0).toUpperCase() + entry.slice(1);
    const isChips = spot === 'chips' || spot === 'section';
    return html`<${Lines} at=${here} value=${value} noun=${noun} of=${name} ghost=${ghost || `Add a ${entry}`}
      isChips=${isChips} hasCommas=${isChips && field.key !== 'authors'} isActive=${isActive} findings=${findings} />${found}`;
  }
  if (field.kind === 'date') {
    const shown = value === undefined && field.goesOn === 'if-empty' && values.start_date !== undefined ? null : value;
    return html`<${DateField} at=${here} value=${shown} field=${field} name=${named} ghost=${ghost || label} isInvalid=${isInvalid} />${found}`;
  }
  if (field.kind === 'group') {
    const inner = { ...around, at: here, values: mapOf(value), name: `${label} of ${name}` };
    return html`<p class="entry-links">${placedIn(field.path, page().fields).map((one) => fieldView(one, inner))}</p>`;
  }
  const isLong = spot === 'prose' && field.key !== 'score';
  const isLink = spot === 'link' || (field.key === 'url' && spot === 'title');
  return html`<${Text} at=${here} value=${value} name=${named} ghost=${ghost || label} tag=${isLong ? 'div' : tag}
    isLong=${isLong} isInvalid=${isInvalid} class=${isLink ? 'link' : `is-${spot}`}
    onLeave=${isLink ? () => completeAddress(here) : undefined} />${found}`;
}

/** Adds the scheme to an address that was typed without. */
function completeAddress(at: string): void {
  const typed = String(editor.at(toPath(at)) ?? '').trim();
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?:[/:?#]\S*)?$/i.test(typed)) write(at, `https://${typed}`);
}

interface EntryProps {
  readonly at: string;
  readonly value: unknown;
  /** The part of `active` that concerns it: a pointer in it, or ''. */
  readonly activeAt: string;
  readonly findings: readonly Finding[];
  readonly class?: string;
}

/** An entry of a list: a company, a role in it, a school, a group of skills. */
export const Entry: ComponentType<EntryProps> = memo(function EntryView({
  at,
  value,
  activeAt,
  findings,
  ...props
}: EntryProps): VNode {
  const path = toPath(at);
  const [list, index] = [path.slice(0, -1), Number(path.at(-1))];
  const [listPath, ticks] = [fieldPathOf(at), useContext(Ticks)];
  const isPlain = typeof value === 'string';
  const values = isPlain ? { text: value } : mapOf(value);
  const isActive = activeAt !== '' && ticks === null;
  const placed = placedIn(listPath, page().fields);
  const { entry: noun = 'entry' } = labelOf(listPath);
  const name = nameOf(value) || `the new ${noun}`;
  const around: Surroundings = { at, values, name, isActive, findings };

  // An entry of an own section is a paragraph, a line, or something with a name.
  const isOwn = listPath === 'resume.sections.entries';
  const kind = isOwn ? (['text', 'bullet'].find((key) => key in values) ?? 'name') : null;
  const isOffered = ({ field }: PlacedField) =>
    !isEmpty(values[field.key]) ||
    ((kind === null || field.key === kind || (kind === 'name' && !['text', 'bullet'].includes(field.key))) &&
      !(isOwn && (field.key === 'date' ? 'start_date' in values : field.key.endsWith('_date') && 'date' in values)));
  const placedAt = (spot: string, ...others: string[]) =>
    placed.filter((one) => [spot, ...others].includes(one.spot) && isOffered(one));
  const viewOf = (one: PlacedField, tag?: string) => fieldView(one, around, tag);
  const row = (left: string, title: string) => {
    const right = placedAt(`${left}-right`);
    const dates = right
      .filter(({ field }) => field.kind === 'date')
      .map((one) => viewOf(one))
      .filter((one) => one !== null);
    const places = right
      .filter(({ field }) => field.kind !== 'date')
      .map((one) => viewOf(one))
      .filter((one) => one !== null);
    const texts = placedAt(left)
      .map((one) => viewOf(one))
      .filter((one) => one !== null);
    if (texts.length + dates.length + places.length === 0) return null;
    return html`<div class="entry-row"><span class=${`entry-left ${title}`}>${texts}</span>
      <span class="entry-right">${places}${dates.map((date, position) => html`${position > 0 && ' – '}${date}`)}</span></div>`;
  };

  if (isPlain || kind === 'text' || kind === 'bullet') {
    const pointer = isPlain ? at : `${at}/${kind}`;
    const isLine = kind === 'bullet';
    const { ghost } = placed.find(({ field }) => field.key === kind)!;
    const begin = (before: string, after: string) => {
      editor.step(() => {
        editor.set(toPath(pointer), before);
        editor.insert([...list, index + 1], { bullet: after });
      });
      focusText(toPointer([...list, index + 1, 'bullet']), 0);
    };
    const text = html`<${Text} at=${pointer} value=${values[kind!]} name=${`${isLine ? 'Line' : 'Paragraph'} ${index + 1}`} tag="div"
      ghost=${ghost} isLine=${isLine} isLong onEnter=${isLine ? begin : undefined} /><${Findings} at=${pointer} findings=${findings} isActive=${isActive} />`;
    return frame(isLine ? html`<ul class="bullets"><li class="bullet">${text}</li></ul>` : text);
  }
  return frame(html`${row('title', 'entry-title')}${row('sub', 'entry-sub')}
    ${placedAt('prose', 'lines', 'chips', 'link').map((one) => viewOf(one))}
    ${listPath === 'experience' && html`<${Roles} at=${`${at}/roles`} value=${values.roles} activeAt=${activeAt} findings=${findings} />`}
    ${isActive && added.value === at && html`<${OtherJobs} at=${at} />`}`);

  function frame(content: VNode): VNode {
    const isShown = ticks?.isShown(path) !== false;
    const isRole = listPath === 'experience.roles';
    const hasOwnActions = isActive && (!isRole || (isIn(activeAt, at) && listOf(editor.at(list)).length > 1));
    return html`<article data-entry=${at} aria-label=${name} onKeyDown=${(event: KeyboardEvent) => onMoveKey(event, list, index)}
      class=${`entry is-movable ${isRole ? 'role' : ''} ${props.class ?? ''}${isActive ? ' is-open' : ''}${isShown ? '' : ' is-left-out'}`}>
      ${ticks?.canHide(path) && html`<label class="tick"><input type="checkbox" checked=${isShown} aria-label=${name} onChange=${() => ticks.toggle(path)} /></label>`}
      ${ticks === null && html`<span class="grip" aria-hidden="true">⋮⋮</span>`}
      ${content}<${Findings} at=${isPlain ? '' : at} findings=${findings} isActive=${isActive} />
      ${hasOwnActions && html`<${Actions} at=${at} name=${name} around=${around} placed=${placed} />`}</article>`;
  }
});

interface RolesProps extends Pick<EntryProps, 'at' | 'value' | 'activeAt' | 'findings'> {}

function Roles({ at, value, activeAt, findings }: RolesProps): VNode {
  const roles = listOf(value);
  const isActive = activeAt !== '';
  const element = useSortable('roles', isActive && roles.length > 0, (from, to, list) =>
    dropInto(at, from, to, list),
  );
  // A company without roles offers the first one.
  const shown = roles.length > 0 || !isActive ? roles : [{}];
  return html`<div class="roles" ref=${element} data-list=${at}>${shown.map(
    (role, index) => html`<${Entry} key=${index} at=${`${at}/${index}`} value=${role} findings=${findings}
      activeAt=${isActive && (shown.length === 1 || isIn(activeAt, `${at}/${index}`)) ? activeAt : ''} />`,
  )}</div>`;
}

interface ActionsProps {
  readonly at: string;
  readonly name: string;
  readonly around: Surroundings;
  readonly placed: readonly PlacedField[];
}

/** What can be done with an entry, and *All fields*. */
function Actions({ at, name, around, placed }: ActionsProps): VNode {
  const path = toPath(at);
  const [list, index] = [path.slice(0, -1), Number(path.at(-1))];
  const isOpen = useSignal(false);
  const rest = placed.filter(({ spot }) => spot === 'drawer');
  const roles = list.length === 1 && list[0] === 'experience' ? listOf(around.values.roles).map(mapOf) : [];
  const inRoles =
    roles.length === 0 ? [] : placedIn('experience.roles', page().fields).filter(({ spot }) => spot === 'drawer');
  const place = wanted.value;
  const isWanted = place !== null && rest.some(({ field }) => isIn(toPointer(place), `${at}/${field.key}`));
  useEffect(() => {
    if (isWanted) isOpen.value = true;
  }, [isWanted]);
  /** Other companies, to which a role can go. */
  const others = () => {
    const isRole = list.at(-1) === 'roles';
    const role = isRole ? path : roles.length === 1 ? [...path, 'roles', 0] : null;
    return listOf(editor.at(['experience'])).flatMap((job, other) =>
      role === null || path[1] === other || path[0] !== 'experience'
        ? []
        : [
            [
              `${isRole ? 'To' : 'The role to'} ${mapOf(job).company}`,
              () => {
                const to = ['experience', other, 'roles', 0];
                editor.move(role, to);
                announce(`${name}, now at ${mapOf(job).company}`);
                active.value = `/experience/${other}`;
                requestAnimationFrame(() => focusFirst(toPointer(to)));
              },
            ] as const,
          ],
    );
  };
  const remove = () => {
    const next = siblingsOf(list, index).filter((one) => one !== index)[0];
    editor.remove(path);
    announce(`${name} removed. Undo brings it back.`);
    active.value = '';
    requestAnimationFrame(() =>
      next === undefined
        ? document.querySelector<HTMLElement>(`[data-at="${CSS.escape(toPointer(list))}"]`)?.focus()
        : focusFirst(toPointer([...list, next > index ? next - 1 : next])),
    );
  };
  return html`<div class="entry-actions">
      ${
        (roles.length > 0 || list.at(-1) === 'roles') &&
        html`<button type="button" onClick=${() =>
          addEntry(list.at(-1) === 'roles' ? list : [...path, 'roles'], {}, 0)}>+ Role at this company</button>`
      }
      ${
        rest.length + inRoles.length > 0 &&
        html`<button type="button" aria-expanded=${isOpen.value} onClick=${() => {
          isOpen.value = !isOpen.value;
        }}>All fields</button>`
      }
      <${MoveMenu} list=${list} index=${index} name=${name} others=${others} />
      <button type="button" onClick=${remove}>Remove</button></div>
    ${
      isOpen.value &&
      html`<div class="drawer">${rest.map((one) => html`<${DrawerField} placed=${one} around=${around} />`)}
      ${roles.map((values, role) =>
        inRoles.map(
          (one) => html`<${DrawerField} placed=${one}
        around=${{ ...around, at: `${at}/roles/${role}`, values, name: String(values.title || 'the role') }} />`,
        ),
      )}</div>`
    }`;
}

interface DrawerFieldProps {
  readonly placed: PlacedField;
  readonly around: Surroundings;
}

/** A field in *All fields*, with its label and hint. */
export function DrawerField({ placed, around }: DrawerFieldProps): VNode {
  const { field } = placed;
  const { label, hint } = labelOf(field.path);
  const [path, value] = [[...toPath(around.at), field.key], around.values[field.key]];
  const control =
    field.kind === 'choice' || field.kind === 'flag'
      ? choiceOf(field, path, value)
      : fieldView(placed, { ...around, isActive: true });
  return html`<div class="drawer-field"><span>${label}${around.at.includes('/roles/') && ` of ${around.name}`}</span>${control}${hint && html`<small>${hint}</small>`}</div>`;
}

function choiceOf(field: Field, path: Path, value: unknown): VNode {
  const { label, none = 'Not chosen' } = labelOf(field.path);
  const at = toPointer(path);
  if (field.kind !== 'choice')
    return html`<input type="checkbox" data-at=${at} aria-label=${label} checked=${value === true}
      onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => editor.set(path, currentTarget.checked)} />`;
  return html`<select data-at=${at} aria-label=${label} onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => editor.set(path, currentTarget.value)}>
    <option value="">${none}</option>${field.options
      .filter((option) => optionOf(option) !== none || option === value)
      .map(
        (option) => html`<option value=${option} selected=${option === value}>${optionOf(option)}</option>`,
      )}</select>`;
}

/** Asks, in a job that was just added and goes on, whether another one has ended. */
function OtherJobs({ at }: { readonly at: string }): VNode | null {
  const jobs = listOf(editor.document.value && editor.at(['experience'])).map(mapOf);
  const own = jobs[Number(toPath(at)[1])];
  const [first] = listOf(own?.roles).map(mapOf);
  if (!at.startsWith('/experience/') || first?.start_date === undefined || first.end_date != null) return null;
  const open = jobs.flatMap((job, index) =>
    job === own
      ? []
      : listOf(job.roles)
          .map(mapOf)
          .flatMap((role, position) =>
            role.end_date == null ? [{ job, role, at: `/experience/${index}/roles/${position}` }] : [],
          ),
  );
  const [other] = open;
  if (other === undefined) return null;
  const field = page().fields['experience.roles.end_date'] as Field & { readonly kind: 'date' };
  const name = `${other.role.title || other.job.company}, ${other.job.company}`;
  return html`<p class="asks" role="status">Has ${name} (since ${printedDate(other.role.start_date)}) ended?${' '}
    <${DateField} at=${`${other.at}/end_date`} value=${undefined} field=${field} name=${`End of ${name}`} ghost="It ended in …" />${' '}
    <button type="button" onClick=${() => {
      added.value = '';
    }}>It goes on</button></p>`;
}

/** A button that opens a menu of what can be added to a section, or adds the one thing that can. */
export function AddButton({
  list,
  options,
}: {
  readonly list: Path;
  readonly options: readonly (readonly [string, unknown])[];
}): VNode {
  const add = (value: unknown) => addEntry(list, value, isNewestFirst(list) ? 0 : undefined);
  const [[label, only]] = options as [readonly [string, unknown]];
  if (options.length === 1)
    return html`<button type="button" class="add" data-at=${toPointer(list)} onClick=${() => add(only)}>+ ${label}</button>`;
  return html`<${Popover} class="add" popClass="pop-end" at=${toPointer(list)} text="+ Add">${(
    close: () => void,
  ) => html`<ul class="pop-menu">
    ${options.map(
      ([text, value]) =>
        html`<li><button type="button" onClick=${() => {
          close();
          add(value);
        }}>${text}</button></li>`,
    )}</ul>`}</${Popover}>`;
}

/** Whether the newest entry of a list stands first, as of what has a beginning. */
const isNewestFirst = (list: Path): boolean =>
  list[0] === 'experience' || page().fields[`${list.join('.')}.start_date`] !== undefined;
