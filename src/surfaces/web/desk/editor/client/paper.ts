import { effect, signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { toPath, toPointer } from '../../../../../model/profile/patch.ts';
import type { Finding } from '../../../../../model/profile/working-copy.ts';
import { labelOf } from '../labels.ts';
import { AddButton, active, DrawerField, Entry, fieldView, isBlank } from './entry.ts';
import { Lines } from './lines.ts';
import { moveTo, useSortable } from './moving.ts';
import { Photo } from './photo.ts';
import { type PlacedField, placedIn } from './places.ts';
import {
  isFirstWriting,
  listOf,
  listPathOf,
  mapOf,
  moveSection,
  nameOfSection,
  type PaperSection,
  renameSection,
  sectionsOf,
  wordsIn,
} from './sections.ts';
import { Sees } from './seen.ts';
import { editor } from './state.ts';
import { Findings, focusedText, focusText, Text, Ticks } from './text.ts';
import { announce, html, page } from './ui.ts';

/** The names of sections that are shown although they are empty. */
export const opened = signal<ReadonlySet<string>>(new Set());

/** Returns the sections of the paper; before anything is written, those that most resumes begin with. */
export function shownSections(): PaperSection[] {
  const document = editor.document.value;
  const first = isFirstWriting(document) ? ['experience', 'education', 'skills'] : [];
  return sectionsOf(document, new Set([...opened.value, ...first]));
}

const none: readonly Finding[] = [];
const grouped = new WeakMap<readonly Finding[], Map<string, readonly Finding[]>>();

/** Returns the findings at or below a pointer; the same list each time, so that only what they concern is drawn again. */
function findingsBelow(at: string): readonly Finding[] {
  const { findings } = editor.copy.value;
  const known = grouped.get(findings) ?? new Map();
  grouped.set(findings, known);
  const found = known.get(at) ?? findings.filter(({ pointer }) => `${pointer}/`.startsWith(`${at}/`));
  known.set(at, found);
  return found.length === 0 ? none : found;
}

/** Makes an entry the one that has the focus. The one before is removed if nothing was typed into it. */
function activate(at: string): void {
  const before = active.peek();
  if (before === at) return;
  const focused = focusedText();
  active.value = at;
  const left = before.startsWith('/') && !`${at}/`.startsWith(`${before}/`) && isBlank(editor.at(toPath(before)));
  if (!left || editor.at(toPath(before)) === undefined) return;
  editor.remove(toPath(before));
  // What stood after it is one place further up.
  const [list, index] = [
    before.slice(0, before.lastIndexOf('/') + 1),
    Number(before.slice(before.lastIndexOf('/') + 1)),
  ];
  const [place = ''] = focused?.at.startsWith(list) ? focused.at.slice(list.length).split('/') : [];
  if (focused === null || place === '' || Number(place) < index) return;
  const now = `${list}${Number(place) - 1}${focused.at.slice(list.length + place.length)}`;
  active.value = now.split('/').slice(0, list.split('/').length).join('/');
  focusText(now, focused.offset);
}

/** The resume, edited where it stands. */
export function Paper(): VNode {
  const isPressed = useSignal(false);
  const ticks = useContext(Ticks);
  const onFocusIn = ({ target }: FocusEvent) => {
    const at = (target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry;
    if (at === undefined) return;
    // What is offered elsewhere goes; until the click is over, nothing may move below the pointer.
    if (!isPressed.peek()) return activate(at);
    const stop = effect(() => {
      if (isPressed.value) return;
      const { top } = (target as Element).getBoundingClientRect();
      queueMicrotask(() => stop());
      if (document.activeElement !== target) return;
      activate(at);
      requestAnimationFrame(() => scrollBy(0, (target as Element).getBoundingClientRect().top - top));
    });
  };
  useEffect(() => {
    const release = () => {
      // After the click, which comes last.
      setTimeout(() => {
        isPressed.value = false;
      });
    };
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
    return () => {
      removeEventListener('pointerup', release);
      removeEventListener('pointercancel', release);
    };
  }, []);
  const { language } = wordsIn(editor.document.value);
  return html`<div class=${`paper${ticks ? ' is-ticked' : ''}`} lang=${language} onFocusIn=${onFocusIn} onPointerDown=${() => {
    isPressed.value = true;
  }}>
    <${Head} />
    ${shownSections().map((section) => html`<${Section} key=${section.id} section=${section} />`)}
  </div>`;
}

const placedOf = (parent: string, key: string): PlacedField =>
  placedIn(parent, page().fields).find(({ field }) => field.key === key)!;

/** Name, title, contacts with who sees them, links, photo, and fields that no section has. */
function Head(): VNode {
  const isOpen = useSignal(false);
  const document = mapOf(editor.document.value);
  const [candidate, resume] = [mapOf(document.candidate), mapOf(document.resume)];
  const isActive = active.value === 'head' || active.value.startsWith('/resume/links');
  const isNew = isFirstWriting(document);
  const around = (at: string, values: Readonly<Record<string, unknown>>) => ({
    ...{ at, values, name: 'the resume', isActive: isActive || isNew, findings: findingsBelow(at) },
  });
  const [you, contact] = [around('/candidate', candidate), around('/resume', resume)];
  const links = listOf(resume.links);
  const element = useSortable('links', isActive, (from, to) => moveTo(['resume', 'links'], from, to));
  const item = (key: string, inner: VNode | null) =>
    inner && html`<li class=${`contact-${key}`}>${inner}${' '}<${Sees} what=${key} /></li>`;
  const rest = [
    ...['', 'candidate'].flatMap((parent) => placedIn(parent, page().fields).map((placed) => ({ parent, placed }))),
  ].filter(({ placed }) => placed.spot === 'drawer');
  return html`<header class=${`paper-head${isActive ? ' is-open' : ''}`} data-entry="head" id="head">
    <${Photo} />
    <h1 class="paper-name">${fieldView(placedOf('candidate', 'name'), { ...you, isActive: true })}</h1>
    <p class="paper-title">${fieldView(placedOf('candidate', 'title'), you)}</p>
    <ul class="paper-contact" ref=${element}>
      ${item('location', fieldView(placedOf('candidate', 'location'), you))}
      ${item('email', fieldView(placedOf('resume', 'email'), contact))}
      ${item('phone', fieldView(placedOf('resume', 'phone'), contact))}
      ${links.map(
        (
          link,
          index,
        ) => html`<li key=${index} class="contact-link is-movable"><${Entry} at=${`/resume/links/${index}`} value=${link} class="is-row"
        activeAt=${active.value.startsWith(`/resume/links/${index}`) ? active.value : ''} findings=${findingsBelow(`/resume/links/${index}`)} /></li>`,
      )}
      ${(isActive || isNew) && html`<li><${AddButton} list=${['resume', 'links']} options=${[['Add a link', {}]]} /></li>`}
    </ul>
    <p class="paper-facts">${fieldView(placedOf('availability', 'status'), around('/availability', mapOf(document.availability)))}</p>
    ${
      isActive &&
      html`<div class="entry-actions"><button type="button" aria-expanded=${isOpen.value} onClick=${() => {
        isOpen.value = !isOpen.value;
      }}>All fields</button></div>`
    }
    ${
      isActive &&
      isOpen.value &&
      html`<div class="drawer">${rest.map(
        ({ parent, placed }) => html`<${DrawerField} placed=${placed}
      around=${parent === '' ? around('', document) : you} />`,
      )}</div>`
    }
  </header>`;
}

/** The noun of an entry of a section, and what is added to sections of the owner's own. */
const nouns: Readonly<Record<string, string>> = { experience: 'job' };
const ownKinds = [
  ['A paragraph', ''],
  ['A line with a bullet', { bullet: '' }],
  ['Something with a name', {}],
] as const;

/** Choices that concern a whole section, offered while it has the focus. */
const choicesOf: Readonly<Record<string, readonly [parent: string, key: string]>> = {
  experience: ['resume', 'experience_order'],
  publications: ['resume', 'publication_style'],
  references: ['resume.references', 'print'],
};

/** The classes of entries that stand on one line. */
const looks: Readonly<Record<string, string>> = {
  ...{ skills: 'chip-group', certifications: 'is-row', languages: 'is-row', interests: 'is-row', awards: 'is-row' },
};

function Section({ section }: { readonly section: PaperSection }): VNode {
  const { key, name, id, parts, titleAt, heading } = section;
  const ticks = useContext(Ticks);
  const [own, ownAt] = [parts[0]!, toPointer(parts[0]!.list)];
  const isActive =
    ticks === null && (active.value === id || parts.some(({ list }) => active.value.startsWith(`${toPointer(list)}/`)));
  const document = mapOf(editor.document.value);
  const resume = mapOf(document.resume);
  const title = nameOfSection(section);
  const isFlat = key === 'skills' && listOf(resume.skill_groups).length === 0;
  const { entry = 'entry' } = labelOf(key === undefined ? 'resume.sections.entries' : listPathOf(key).join('.'));
  const noun = nouns[key ?? ''] ?? entry;
  const options = key === undefined ? ownKinds : [[`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`, {}] as const];
  const around = {
    at: '/candidate',
    values: mapOf(document.candidate),
    name: title,
    isActive: isActive || isFirstWriting(document),
    findings: findingsBelow('/candidate'),
  };
  const element = useSortable(id, ticks === null && parts.length === 1 && !isFlat, (from, to) =>
    moveTo(own.list, own.shown[from]!, to),
  );
  const choice = choicesOf[key ?? ''];
  const isShown = ticks?.isShown([name]) !== false;

  const content = () => {
    if (key === 'summary')
      return html`<div class="paper-summary">${fieldView(placedOf('candidate', 'summary'), { ...around, isActive: true })}</div>`;
    if (key === 'domains') return fieldView(placedOf('candidate', 'domains'), around);
    if (isFlat)
      return html`<${Lines} at="/resume/skills" value=${resume.skills} noun="Skill" of=${title} ghost="Add a skill" isChips hasCommas
        isActive=${isActive || listOf(resume.skills).length === 0} findings=${findingsBelow('/resume/skills')} />
        ${isActive && listOf(resume.skills).length > 0 && html`<div class="entry-actions"><button type="button" onClick=${groupSkills}>Put them in groups</button></div>`}`;
    return html`<div class="entries" ref=${element} data-list=${ownAt}>${parts.flatMap(({ list, shown }) =>
      shown.map((index) => {
        const at = `${toPointer(list)}/${index}`;
        return html`<${Entry} key=${at} at=${at} value=${listOf(editor.at(list))[index]} class=${looks[key ?? '']} findings=${findingsBelow(at)}
          activeAt=${`${active.value}/`.startsWith(`${at}/`) ? active.value : ''} />`;
      }),
    )}</div>`;
  };
  const isHeaded = heading !== '' || isActive || key !== 'summary';
  return html`<section class=${`sec sec-${key ?? 'own'}${isShown ? '' : ' is-left-out'}`} id=${id} data-entry=${id} aria-label=${title}>
    <div class="sec-head" onKeyDown=${onSectionKey(section)}>
      ${ticks && key !== 'summary' && name !== '' && html`<label class="tick"><input type="checkbox" checked=${isShown} aria-label=${title} onChange=${() => ticks.toggle([name])} /></label>`}
      ${
        isHeaded &&
        html`<h2 class="sec-title"><${Text} at=${toPointer(titleAt)} value=${heading} name=${`Heading of ${title}`}
        ghost=${key === 'summary' ? 'Add a heading' : title} onText=${(text: string) => renameSection(section, text)} /></h2>`
      }
      ${!isFlat && key !== 'summary' && key !== 'domains' && ticks === null && html`<${AddButton} list=${own.list} options=${options} />`}
    </div>
    <${Findings} at=${toPointer(titleAt)} findings=${editor.copy.value.findings} />
    ${content()}
    ${
      choice &&
      active.value === id &&
      html`<div class="drawer"><${DrawerField} placed=${placedOf(...choice)}
      around=${{ ...around, at: `/${choice[0].replaceAll('.', '/')}`, values: choice[0] === 'resume' ? resume : mapOf(resume.references) }} /></div>`
    }
    ${
      key === 'skills' &&
      !isFlat &&
      isActive &&
      listOf(resume.skills).length > 0 &&
      html`<div class="drawer"><${DrawerField} placed=${placedOf('resume', 'skills')}
      around=${{ ...around, at: '/resume', values: resume }} /></div>`
    }
  </section>`;
}

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
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by === undefined || !event.altKey || !event.shiftKey || section.name === '') return;
  event.preventDefault();
  moveSectionBy(section, by);
};

/** Moves a section by some places, and says where it is. */
export function moveSectionBy(section: PaperSection, by: number): void {
  const names = shownSections().flatMap(({ name }) => name || []);
  const to = names.indexOf(section.name) + by;
  if (to < 0 || to >= names.length) return;
  const focused = focusedText();
  moveSection(section.name, to, opened.value);
  announce(`${nameOfSection(section)}, ${to + 1} of ${names.length}`);
  if (focused !== null) focusText(focused.at, focused.offset);
}
