import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { pluralize } from 'resume-profile/text';
import { equals, toPointer, valueAt } from '../../../../../model/profile/patch.ts';
import { freeName, slugOf, toViewName } from '../../../../../model/profile/view-name.ts';
import type { Path, Value } from '../../../../../model/profile/working-copy.ts';
import { labelOf, optionOf } from '../labels.ts';
import { Paper } from './paper.ts';
import { mapOf, sectionsOf } from './sections.ts';
import { editor } from './state.ts';
import { fieldPathOf, Ticks, type VersionTicks } from './text.ts';
import { announce, Confirm, go, html, Popover, page, view } from './ui.ts';

/** A version for readers, as the document has it under `views`. */
interface Version {
  readonly title?: string;
  readonly summary?: string;
  readonly hide?: readonly string[];
  readonly order?: readonly string[];
  readonly theme?: string;
}

const versionsNow = () => (editor.at(['views']) ?? {}) as Readonly<Record<string, Version>>;

/** Writes a version as a whole: one that shows everything is empty, and stays. */
function put(name: string, version: Version): void {
  const views = editor.at(['views']);
  const pointer = toPointer(['views', name]);
  const before = { op: 'test', path: pointer, value: editor.at(['views', name]) ?? null } as const;
  editor.apply(
    views === undefined
      ? [{ op: 'add', path: '/views', value: { [name]: version } }]
      : [before, { op: 'add', path: pointer, value: version }],
  );
}

/** Sets a field of a version, or removes it. */
function setField(name: string, key: keyof Version, value: Value, joins?: string): void {
  const isEmpty = value === undefined || value === '';
  const { [key]: _, ...others } = versionsNow()[name] ?? {};
  if (isEmpty || joins === undefined) put(name, isEmpty ? others : { ...others, [key]: value });
  else editor.set(['views', name, key], value, { joins });
}

/** What stands where an id is: an entry, a role or a text. */
interface Identified {
  readonly id: string;
  readonly words: string;
}

/** Returns all ids of the document with the words of their entries. */
function identifiedIn(value: Value, path: Path = []): Identified[] {
  if (typeof value !== 'object' || value === null || path[0] === 'views') return [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    identifiedIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  const { id, in: _, section: __, ...fields } = value as Readonly<Record<string, Value>>;
  if (typeof id !== 'string' || path[0] === 'candidate') return inner;
  const words = Object.values(fields).find((field) => typeof field === 'string' && field !== '');
  return [{ id, words: String(words ?? id) }, ...inner];
}

const wordsOf = (name: string): string => {
  const section = sectionsOf(editor.document.value).find((one) => one.name === name);
  if (section !== undefined) return section.heading || optionOf(name);
  return identifiedIn(editor.document.value).find(({ id }) => id === name)?.words ?? name;
};

/** The ticks on the paper for one version; each is one step of undo. */
function ticksOf(name: string): VersionTicks {
  const { hide = [] } = versionsNow()[name] ?? {};
  const isSection = (path: Path) => path.length === 1;
  const titles = () => (editor.at(['resume', 'sections']) ?? []) as readonly { readonly title?: string }[];
  const placeOf = (path: Path) =>
    isSection(path) ? ['resume', 'sections', titles().findIndex(({ title }) => title === path[0])] : path;
  const at = (path: Path) =>
    mapOf(editor.at(placeOf(path))) as { readonly id?: string; readonly in?: readonly string[] };
  const nameOf = (path: Path) => (isSection(path) ? String(path[0]) : at(path).id);
  const isPlaced = (path: Path) => at(path).in?.includes(name) !== false;
  const isHidden = (path: Path) => hide.includes(nameOf(path) ?? '');
  return {
    canHide(path) {
      const field = page().fields[fieldPathOf(toPointer(path))];
      return field?.kind === 'list'
        ? field.fields.some(({ key }) => key === 'id')
        : field?.kind === 'texts' && field.isPlaced;
    },
    isShown: (path) => isPlaced(path) && !isHidden(path),
    toggle(path) {
      const isOn = isPlaced(path) && !isHidden(path);
      editor.step(() => {
        const id = nameOf(path) ?? identify(path);
        // Of `in` only the names of versions are known that exist now: later ones show what none of them leaves out.
        const without = isPlaced(path) ? [] : Object.keys(versionsNow()).filter((one) => !at(path).in!.includes(one));
        if (!isPlaced(path)) editor.set([...placeOf(path), 'in'], undefined);
        for (const one of without) if (one !== name) leaveOut(one, id, true);
        leaveOut(name, id, isOn);
      });
      announce(ticksOf(name).isShown(path) ? 'Shown' : 'Left out');
    },
  };
}

/** Adds what has a name to what a version leaves out, or removes it. */
function leaveOut(version: string, name: string, isLeftOut: boolean): void {
  const others = (versionsNow()[version]?.hide ?? []).filter((one) => one !== name);
  const hide = isLeftOut ? [...others, name] : others;
  setField(version, 'hide', hide.length === 0 ? undefined : hide);
}

/** Gives an entry or a text an id, which it keeps. */
function identify(path: Path): string {
  const value = editor.at(path);
  const known = new Set(identifiedIn(editor.document.value).map(({ id }) => id));
  const words =
    typeof value === 'string' ? value : (Object.values(mapOf(value)).find((one) => typeof one === 'string') ?? '');
  const list = path.findLast((step) => typeof step === 'string');
  const id = freeName(`${list}-${slugOf(String(words), 40)}`.replace(/-$/, ''), (one) => known.has(one));
  if (typeof value === 'string') editor.set(path, { text: value, id });
  else editor.set([...path, 'id'], id);
  return id;
}

const isPublished = (name: string): boolean =>
  equals(valueAt(editor.copy.value.base, ['views', name]), editor.at(['views', name]));

/** The links that show a version, and the way to a new one. */
function linksOf(name: string): VNode {
  const { links, paths } = page();
  const shown = links.filter(({ view }) => view === name);
  return html`${shown.map(
    (link) => html`<span>Link for <a href=${`${paths.share}/${link.id}`}><bdi>${link.name}</bdi></a>
      <code id=${`link-${link.id}`} hidden>${link.address}</code>${' '}
      <button type="button" data-copy=${`link-${link.id}`} hidden=${navigator.clipboard === undefined}>Copy</button></span>`,
  )}<a href=${`${paths.share}?view=${encodeURIComponent(name)}#new`}>Make ${shown.length === 0 ? 'a' : 'another'} link</a>`;
}

/** The versions for readers, or one of them on the paper. */
export function Versions(): VNode {
  const [, name] = view.value.split('=');
  if (name !== undefined && name in versionsNow()) return html`<${OneVersion} key=${name} name=${name} />`;
  return html`<div class="paper panel">
    <header><h1>Versions for readers</h1><p class="soft">One resume, shown in several ways: without a job, with another title. A link shows the version that you choose for it, and everyone else reads the whole.</p></header>
    <section class="panel-part"><ul>${Object.entries(versionsNow()).map(
      ([one, version]) => html`<li class="version" key=${one}>
      <a href=${`#version=${one}`}>${one}</a>
      <small>${`${pluralize(version.hide?.length ?? 0, 'thing')} left out${isPublished(one) ? '' : ', not published yet'}`}</small>
      ${linksOf(one)}
      <${Confirm} text="Remove" question="Who reads it gets what a stranger sees." act=${() => editor.remove(['views', one])} /></li>`,
    )}</ul>
      <${NewVersion} /></section>
  </div>`;
}

function NewVersion(): VNode {
  const typed = useSignal('');
  const make = (event: Event) => {
    event.preventDefault();
    const name = toViewName(typed.value, versionsNow());
    put(name, {});
    go(['views', name, 'title']);
  };
  return html`<form onSubmit=${make}>
    <label class="drawer-field"><span>A new version, for</span>
      <input value=${typed} required maxlength="60" placeholder="Casco Bay" onInput=${(event: Event) => {
        typed.value = (event.currentTarget as HTMLInputElement).value;
      }} /></label>
    <p class="actions"><button class="secondary">Make it</button></p></form>`;
}

function OneVersion({ name }: { readonly name: string }): VNode {
  const version = versionsNow()[name]!;
  const themes = page().fields['resume.theme'];
  const field = (
    key: 'title' | 'summary',
    tag: string,
  ) => html`<label class="drawer-field"><span>${labelOf(`candidate.${key}`).label} here</span>
    <${tag} value=${version[key] ?? ''} placeholder=${editor.at(['candidate', key]) ?? ''} data-at=${toPointer(['views', name, key])}
      onInput=${(event: Event) => setField(name, key, (event.currentTarget as HTMLInputElement).value, `${name} ${key}`)} onBlur=${() => editor.endStep()} /></label>`;
  return html`<div class="version-bar paper panel">
      <div class="version"><h1>${name}</h1><small>${isPublished(name) ? 'as published' : 'not published yet'}</small>${linksOf(name)}<a href="#versions">All versions</a></div>
      <div class="drawer">${field('title', 'input')}${field('summary', 'textarea')}
        <label class="drawer-field"><span>${labelOf('resume.theme').label} here</span>
          <select onChange=${({ currentTarget }: Event) => setField(name, 'theme', (currentTarget as HTMLSelectElement).value)}>
            <option value="">As everywhere</option>${(themes?.kind === 'choice' ? themes.options : []).map(
              (theme) => html`<option value=${theme} selected=${theme === version.theme}>${optionOf(theme)}</option>`,
            )}</select></label>
        <${Order} name=${name} version=${version} /></div>
      <${Compared} name=${name} version=${version} />
      <p class="soft">Untick on the paper what this version leaves out. What you add later is in it.</p>
    </div>
    <${Ticks.Provider} value=${ticksOf(name)}><${Paper} /></${Ticks.Provider}>`;
}

interface VersionProps {
  readonly name: string;
  readonly version: Version;
}

/** The order of the sections in a version. */
function Order({ name, version }: VersionProps): VNode {
  const document = mapOf(editor.document.value);
  const resume = { ...mapOf(document.resume), ...(version.order && { order: version.order }) };
  const sections = sectionsOf({ ...document, resume }).filter((section) => section.name !== '' && section.count > 0);
  const move = (index: number, by: number) => {
    const names = sections.map((section) => section.name);
    names.splice(index + by, 0, ...names.splice(index, 1));
    setField(name, 'order', names);
    announce(`${wordsOf(names[index + by]!)}, ${index + by + 1} of ${names.length}`);
  };
  const words = version.order ? 'Its own' : 'As everywhere';
  return html`<div class="drawer-field"><span>Order of the sections here</span>
    <${Popover} text=${words} label=${`Order of the sections here: ${words}`}>${() => html`
      <ol style=${{ maxHeight: '50vh', overflow: 'auto' }}>${sections.map((section, index) => {
        const heading = section.heading || optionOf(section.name);
        const button = (
          by: number,
          sign: string,
          word: string,
        ) => html`<button type="button" class="icon" onClick=${() => move(index, by)}
          disabled=${sections[index + by] === undefined} aria-label=${`Move ${heading} ${word}`}>${sign}</button>`;
        return html`<li key=${section.name} class="version"><span>${button(-1, '↑', 'up')}${button(1, '↓', 'down')}</span>${heading}</li>`;
      })}</ol>
      <p class="pop-actions"><button type="button" onClick=${() => setField(name, 'order', undefined)}>As everywhere</button></p>`}</${Popover}></div>`;
}

/** How a version differs from the whole, with a way back for each difference. */
function Compared({ name, version }: VersionProps): VNode {
  const { hide = [], ...own } = version;
  const undo = (text: string, act: () => void) => html`<button type="button" onClick=${act}>${text}</button>`;
  const replaced = Object.keys(own) as (keyof typeof own)[];
  return html`<details><summary>Compared with the whole: ${pluralize(hide.length + replaced.length, 'difference')}</summary><ul>
    ${hide.map((one) => html`<li key=${one}>Without “${wordsOf(one)}” ${undo('Show it', () => leaveOut(name, one, false))}</li>`)}
    ${replaced.map((key) => html`<li key=${key}>Its own ${key}${typeof own[key] === 'string' && html`: “${key === 'theme' ? optionOf(own[key]) : own[key]}”`} ${undo('As everywhere', () => setField(name, key, undefined))}</li>`)}
  </ul></details>`;
}
