import type { ComponentType, VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect } from 'preact/hooks';
import { toPath, toPointer, valueAt } from '../../../../../model/profile/patch.ts';
import type { Finding, Path } from '../../../../../model/profile/working-copy.ts';
import { labelOf } from '../labels.ts';
import { active, addEntry, Drawer, DrawerField, Entry, fieldView, isBlank, isIn, type Surroundings } from './entry.ts';
import { Lines } from './lines.ts';
import { arrowOf, Menu, type MenuOption, memo, moveTo, useSortable } from './moving.ts';
import { Photo } from './photo.ts';
import { type PlacedField, placedIn } from './places.ts';
import {
  isNew,
  listOf,
  mapOf,
  moveSection,
  nameOfSection,
  type PaperSection,
  renameSection,
  shownSections,
  wordsIn,
} from './sections.ts';
import { Sees } from './seen.ts';
import { editor } from './state.ts';
import { Findings, fieldPathOf, focusedText, focusText, Text, Ticks, tickOf } from './text.ts';
import { html, page, wanted } from './ui.ts';

const none: readonly Finding[] = [];
const grouped = new WeakMap<readonly Finding[], Map<string, readonly Finding[]>>();

/** Returns the findings at or below a pointer; the same list each time, so that only what they concern is drawn again. */
function findingsBelow(at: string): readonly Finding[] {
  const { findings } = editor.copy.value;
  const known = grouped.get(findings) ?? new Map();
  grouped.set(findings, known);
  const found = known.get(at) ?? findings.filter(({ pointer }) => isIn(pointer, at));
  known.set(at, found);
  return found.length === 0 ? none : found;
}

/** Makes an entry the one that has the focus. The one before is removed if nothing was typed into it. */
function activate(target: Element): void {
  const at = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
  const left = active.peek();
  if (at === undefined || left === at) return;
  const { top } = target.getBoundingClientRect();
  const focused = focusedText();
  active.value = at;
  const [list, index] = [toPath(left).slice(0, -1), Number(toPath(left).at(-1))];
  const value = editor.at(toPath(left));
  if (left.startsWith('/') && !isIn(at, left) && value !== undefined && isBlank(value)) {
    editor.remove(toPath(left));
    // What stood after it is one place further up.
    const [path, own] = [toPath(focused?.at ?? ''), toPath(at)];
    const isAfter = isIn(focused?.at ?? '', toPointer(list)) && Number(path[list.length]) > index;
    if (isAfter) active.value = toPointer(own.with(list.length, Number(own[list.length]) - 1));
    if (isAfter) focusText(toPointer(path.with(list.length, Number(path[list.length]) - 1)), focused!.offset);
  }
  // What is offered above comes and goes; what has the focus stays where it is.
  requestAnimationFrame(() => scrollBy(0, target.getBoundingClientRect().top - top));
}

/** What got the focus by the pointer that is still down: until the click is over, nothing may move below it. */
let pressed: { target: Element | null } | null = null;

function release(): void {
  // After the click, which comes last.
  setTimeout(() => {
    const { target = null } = pressed ?? {};
    pressed = null;
    if (target?.isConnected && target.contains(document.activeElement)) activate(target);
  });
}

/** Returns the pointer of the entry that has a place, or the id of the head or of the section that has it. */
function entryOf(path: Path): string {
  const isEntry = (at: string) => /\/\d+$/.test(at) && page().fields[fieldPathOf(at)]?.kind === 'list';
  const entry = path.map((_, index) => toPointer(path.slice(0, index + 1))).findLast(isEntry);
  const isHere = ({ parts }: PaperSection) => parts.some(({ list }) => isIn(toPointer(path), toPointer(list)));
  return entry ?? shownSections.peek().find(isHere)?.id ?? 'head';
}

/** The resume, edited where it stands. */
export function Paper(): VNode {
  const ticks = useContext(Ticks);
  useEffect(() => {
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release);
    return () => {
      for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, release);
    };
  }, []);
  const place = wanted.value;
  useLayoutEffect(() => {
    if (place !== null) active.value = entryOf(place);
  }, [place]);
  const onFocusIn = ({ target }: FocusEvent) => {
    if (pressed === null) activate(target as Element);
    else pressed.target = target as Element;
  };
  const onPointerDown = () => {
    pressed = { target: null };
  };
  const { language } = wordsIn(editor.document.value);
  return html`<div class=${`paper${ticks ? ' is-ticked' : ''}`} lang=${language} onFocusIn=${onFocusIn} onPointerDown=${onPointerDown}>
    <${Head} />${shownSections.value.map((section) => html`<${Section} key=${section.id} section=${section} />`)}</div>`;
}

const placedOf = (parent: string, key: string): PlacedField =>
  placedIn(parent, page().fields).find(({ field }) => field.key === key)!;

/** Name, title, contacts with who sees them, links, photo, and fields that no section has. */
function Head(): VNode {
  const isEditable = useContext(Ticks) === null;
  const document = mapOf(editor.document.value);
  const [candidate, resume] = [mapOf(document.candidate), mapOf(document.resume)];
  const isActive = isEditable && (active.value === 'head' || isIn(active.value, '/resume/links'));
  const isOffering = isActive || (isEditable && isNew.value);
  const element = useSortable('links', isActive, (from, to) => moveTo(['resume', 'links'], from, to));
  const around = (at: string, values: Readonly<Record<string, unknown>>): Surroundings => ({
    ...{ at, values, name: '', isActive: isOffering, findings: findingsBelow(at) },
  });
  const [you, contact] = [around('/candidate', candidate), around('/resume', resume)];
  const item = (key: string, parent: string, surroundings: Surroundings) => {
    const shown = fieldView(placedOf(parent, key), surroundings);
    return shown && html`<li>${shown}${' '}<${Sees} what=${key} /></li>`;
  };
  const link = (value: unknown, index: number) => {
    const at = `/resume/links/${index}`;
    const props = { at, value, activeAt: isIn(active.value, at) ? active.value : '', findings: findingsBelow(at) };
    return html`<li key=${index} class="is-movable"><${Entry} ...${props} class="is-row" /></li>`;
  };
  const rest = [around('', document), you].flatMap((surroundings) =>
    placedIn(surroundings.at.slice(1), page().fields).flatMap((placed) =>
      placed.spot === 'drawer' ? [{ placed, around: surroundings }] : [],
    ),
  );
  const addLink = () => addEntry(['resume', 'links']);
  return html`<header class=${`paper-head${isActive ? ' is-open' : ''}`} data-entry="head" id="head">
    <${Photo} />
    <h1 class="paper-name">${fieldView(placedOf('candidate', 'name'), { ...you, isActive: true })}</h1>
    <p class="paper-title">${fieldView(placedOf('candidate', 'title'), you)}</p>
    <ul class="paper-contact" ref=${element}>
      ${item('location', 'candidate', you)}${item('email', 'resume', contact)}${item('phone', 'resume', contact)}
      ${listOf(resume.links).map(link)}
      ${isOffering && html`<li><button type="button" class="ghost" data-at="/resume/links" onClick=${addLink}>Add a link</button></li>`}
    </ul>
    <p>${fieldView(placedOf('availability', 'status'), around('/availability', mapOf(document.availability)))}</p>
    ${isActive && html`<div class="entry-actions"><${Drawer} fields=${rest} /></div>`}
  </header>`;
}

/** What can be added to a section of the owner's own. */
const ownKinds = { 'A paragraph': '', 'A line with a bullet': { bullet: '' }, 'Something with a name': {} };

/** Choices that concern a whole section, offered while its heading has the focus. */
const choicesOf: Readonly<Record<string, readonly [parent: string, key: string]>> = {
  experience: ['resume', 'experience_order'],
  publications: ['resume', 'publication_style'],
  references: ['resume.references', 'print'],
  // Beside groups of skills, those that programs get.
  skills: ['resume', 'skills'],
};

/** The classes of entries that stand on one line, or are groups of chips. */
const looks: Readonly<Record<string, string>> = {
  ...{ skills: 'chip-group', certifications: 'is-row', languages: 'is-row', interests: 'is-row', awards: 'is-row' },
};

const Section: ComponentType<{ section: PaperSection }> = memo(function SectionView({
  section,
}: {
  section: PaperSection;
}): VNode {
  const { key, name, id, parts, titleAt, heading } = section;
  const title = nameOfSection(section);
  const { tick, look, isEditable } = tickOf(useContext(Ticks), [name], title, key !== 'summary' && name !== '');
  const [first, listAt] = [parts[0]!, toPointer(parts[0]!.list)];
  const now = editor.document.peek();
  const [candidate, resume] = [mapOf(valueAt(now, ['candidate'])), mapOf(valueAt(now, ['resume']))];
  const isFlat = key === 'skills' && listOf(resume.skill_groups).length === 0;
  const isText = key === 'summary' || key === 'domains';
  const isActive = isEditable && (active.value === id || parts.some(({ list }) => isIn(active.value, toPointer(list))));
  const element = useSortable(id, isEditable && parts.length === 1 && !isFlat, (from, to) =>
    moveTo(first.list, first.shown[from]!, to),
  );
  const around = (at: string, values: Readonly<Record<string, unknown>>): Surroundings => ({
    ...{ at, values, name: key === 'summary' ? '' : title, isActive: isActive || key === 'summary' },
    findings: findingsBelow(at),
  });
  const entry = (list: Path, index: number) => {
    const at = toPointer([...list, index]);
    const props = {
      at,
      value: valueAt(now, [...list, index]),
      activeAt: isIn(active.value, at) ? active.value : '',
      findings: findingsBelow(at),
    };
    return html`<${Entry} key=${at} ...${props} class=${looks[key ?? '']} />`;
  };
  const skills = () => {
    const isOffering = isActive || (isEditable && listOf(resume.skills).length === 0);
    const group = isActive && listOf(resume.skills).length > 0;
    return html`<${Lines} at="/resume/skills" value=${resume.skills} noun="Skill" of=${title} ghost="Add a skill" isChips hasCommas
      isActive=${isOffering} findings=${findingsBelow('/resume/skills')} />
      ${group && html`<div class="entry-actions"><button type="button" onClick=${groupSkills}>Put them in groups</button></div>`}`;
  };
  const content = () => {
    if (isText)
      return html`<div class=${`paper-${key}`}>${fieldView(placedOf('candidate', key), around('/candidate', candidate))}</div>`;
    if (isFlat) return skills();
    return html`<div ref=${element} data-list=${listAt}>${parts.flatMap(({ list, shown }) => shown.map((index) => entry(list, index)))}</div>`;
  };
  const add = () => {
    if (key === undefined) {
      const kinds = Object.entries(ownKinds).map(
        ([text, value]): MenuOption => [text, () => addEntry(first.list, value)],
      );
      return html`<${Menu} class="add" at=${listAt} text="+ Add" options=${() => kinds} />`;
    }
    const noun = key === 'experience' ? 'job' : (labelOf(first.list.join('.')).entry ?? 'entry');
    const act = () => addEntry(first.list);
    return html`<button type="button" class="add" data-at=${listAt} onClick=${act}>+ Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}</button>`;
  };
  const [parent, choice] = choicesOf[key ?? ''] ?? [];
  // References that are not printed stand on the paper alone.
  const isAsked =
    active.value === id || (key === 'references' && (isActive || mapOf(resume.references).print !== true));
  const isChoosing = parent && isAsked && (key !== 'skills' || (!isFlat && listOf(resume.skills).length > 0));
  const choosing = () => around(`/${parent!.replace('.', '/')}`, mapOf(valueAt(now, parent!.split('.'))));
  const ghost = key === 'summary' ? 'Add a heading' : title;
  const rename = (text: string) => renameSection(section, text);
  return html`<section class=${`sec sec-${key ?? 'own'}${look}`} id=${id} data-entry=${id} aria-label=${title}>
    <div class="sec-head" onKeyDown=${onSectionKey(section)}>${tick}
      ${(heading !== '' || isActive) && html`<h2 class="sec-title"><${Text} at=${toPointer(titleAt)} value=${heading} name=${`Heading of ${title}`} ghost=${ghost} onText=${rename} /></h2>`}
      ${!isFlat && !isText && isEditable && add()}</div>
    <${Findings} at=${toPointer(titleAt)} findings=${findingsBelow(toPointer(titleAt))} />${content()}
    ${isChoosing && html`<div class="drawer"><${DrawerField} placed=${placedOf(parent, choice!)} around=${choosing()} /></div>`}</section>`;
});

/** Makes one group of the list of skills, which can then be divided. */
function groupSkills(): void {
  editor.step(() => {
    editor.insert(['resume', 'skill_groups', 0], { skills: editor.at(['resume', 'skills']) });
    editor.remove(['resume', 'skills']);
  });
  active.value = '/resume/skill_groups/0';
  focusText('/resume/skill_groups/0/name');
}

/** Moves a section by Alt+Shift and an arrow in its heading. */
export const onSectionKey = (section: PaperSection) => (event: KeyboardEvent) => {
  const by = arrowOf(event);
  const focused = focusedText();
  if (by !== null) moveSection(section, by);
  if (by !== null && focused !== null) focusText(focused.at, focused.offset);
};
