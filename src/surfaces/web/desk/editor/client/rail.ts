import type { VNode } from 'preact';
import type { TitledKey } from 'resume-profile/resume-section';
import { toPath } from '../../../../../model/profile/patch.ts';
import { labelOf } from '../labels.ts';
import { active, addEntry } from './entry.ts';
import { useSortable } from './moving.ts';
import { onSectionKey } from './paper.ts';
import {
  listOf,
  listPathOf,
  mapOf,
  moveSection,
  nameOfSection,
  opened,
  type PaperSection,
  shownSections,
  wordsIn,
} from './sections.ts';
import { editor } from './state.ts';
import { focusText } from './text.ts';
import { html, page, show, view } from './ui.ts';

/** Goes to a section of the paper. */
function goTo(id: string): void {
  show('');
  requestAnimationFrame(() => {
    const section = document.getElementById(id);
    section?.scrollIntoView({ block: 'start' });
    section?.querySelector<HTMLElement>('.text, button')?.focus({ preventScroll: true });
  });
}

/** Shows a section that is empty so far, with the caret in its first entry. */
function open(key: TitledKey): void {
  show('');
  opened.value = [...opened.value, key];
  active.value = `sec-resume-titles-${key}`;
  if (key === 'skills' || key === 'domains') focusText(key === 'skills' ? '/resume/skills/0' : '/candidate/domains/0');
  else addEntry(listPathOf(key));
}

/** Adds a section of the owner's own, whose title is then typed. */
function addOwn(): void {
  show('');
  const sections = listOf(editor.at(['resume', 'sections']));
  const titles = sections.map((section) => mapOf(section).title);
  const title = ['New section', ...sections.map((_, index) => `New section ${index + 2}`)].find(
    (one) => !titles.includes(one),
  );
  editor.insert(['resume', 'sections', sections.length], { title, entries: [] });
  active.value = `sec-resume-sections-${sections.length}-title`;
  focusText(`/resume/sections/${sections.length}/title`, 0, Number.POSITIVE_INFINITY);
}

/** The sections in their order, what can be added, and what concerns the whole. */
export function Rail(): VNode {
  const sections = shownSections.value;
  const movable = sections.filter(({ name }) => name !== '');
  const element = useSortable('sections', true, (from, to) => moveSection(movable[from]!, to - from), 'li');
  const { headings } = wordsIn(editor.document.value);
  const absent = (Object.keys(headings) as (keyof typeof headings)[]).filter(
    (key) => !sections.some((one) => one.key === key),
  );
  const views = Object.keys(mapOf(mapOf(editor.document.value).views)).length;
  const isCurrent = ({ id, parts }: PaperSection) =>
    active.value === id || parts.some(({ list }) => toPath(active.value).join('/').startsWith(list.join('/')));
  const link = (
    id: string,
    text: string,
    isHere: boolean,
    count?: number,
  ) => html`<a class="rail-link" draggable="false" href=${`#${id}`} aria-current=${isHere ? 'true' : null}
    onClick=${(event: MouseEvent) => {
      event.preventDefault();
      if (id === 'head' || id.startsWith('sec-')) goTo(id);
      else show(id);
    }}>${text}</a>${count ? html`<span class="rail-count">${count}</span>` : null}`;
  const isPaper = view.value === '';
  return html`<section class="rail-group"><h2>Sections <small>drag to reorder</small></h2>
      <ul><li class="rail-item">${link('head', 'Head', isPaper && active.value === 'head')}</li></ul>
      <ul ref=${element}>${sections.map(
        (
          section,
        ) => html`<li key=${section.id} class=${`rail-item${section.name ? ' is-movable' : ''}`} onKeyDown=${onSectionKey(section)}>
        <span class="rail-grip" aria-hidden="true"></span>
        ${link(section.id, nameOfSection(section), isPaper && isCurrent(section), section.key === 'summary' ? 0 : section.count)}</li>`,
      )}</ul></section>
    <section class="rail-group"><h2>Add</h2><ul>
      ${absent.map((key) => html`<li><button type="button" class="rail-add" onClick=${() => open(key)}>+ ${key === 'domains' ? labelOf('candidate.domains').label : headings[key]}</button></li>`)}
      <li><button type="button" class="rail-add" onClick=${addOwn}>+ A section of your own</button></li></ul></section>
    <section class="rail-group"><h2>The whole</h2><ul>
      <li class="rail-item">${link('look', 'Look', view.value === 'look')}</li>
      <li class="rail-item">${link('seen', 'Who sees what', view.value === 'seen')}</li>
      <li class="rail-item">${link('versions', 'Versions for readers', view.value.startsWith('version'), views)}</li>
      <li class="rail-item"><a class="rail-link" href=${page().paths.history}>History</a></li>
      <li class="rail-item"><a class="rail-link" href=${page().paths.yaml}>The file (YAML)</a></li></ul></section>`;
}
