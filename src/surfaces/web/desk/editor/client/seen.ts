import type { VNode } from 'preact';
import { labelOf, optionOf } from '../labels.ts';
import { editor } from './state.ts';
import { html, Popover } from './ui.ts';

/** Who reads the resume: anybody, people with access in three forms of it, and their programs. */
const readers = ['anyone', 'page', 'pdf', 'word', 'programs'] as const;
type Reader = (typeof readers)[number];
type Medium = Exclude<Reader, 'anyone'>;

const titles: Readonly<Record<Reader, string>> = {
  anyone: 'Anyone',
  page: 'Page',
  pdf: 'PDF',
  word: 'Word',
  programs: 'Programs',
};

/** What each reader sees: `tick` if the owner decides, otherwise a reason. The columns are the readers. */
// biome-ignore format: a table
const rows: Readonly<Record<string, string>> = {
  name: 'tick all all all all', title: 'tick all all all all', location: 'tick all all all all', summary: 'tick all all all all',
  years_experience: 'tick all paper paper years', domains: 'tick all paper paper all', availability: 'tick all paper paper all',
  counts: 'tick jobs jobs jobs jobs', id: 'tick id id id all',
  experience: 'stranger all all all all', projects: 'stranger all all all all', skills: 'stranger all all all all',
  photo: 'stranger tick tick tick never', email: 'stranger tick tick tick never', phone: 'stranger tick tick tick never',
  links: 'stranger tick tick tick never', education: 'stranger tick tick tick tick', certifications: 'stranger tick tick tick tick',
  languages: 'stranger tick tick tick tick', publications: 'stranger tick tick tick tick', awards: 'stranger tick tick tick tick',
  volunteer: 'stranger tick tick tick tick', sections: 'stranger tick tick tick tick', interests: 'stranger tick tick tick never',
  references: 'stranger tick tick tick never',
};

/** Why a cell cannot be changed, and whether the reader sees it. */
const reasons: Readonly<Record<string, readonly [isSeen: boolean, why: string]>> = {
  all: [true, 'Everyone with access gets it: programs rely on it, and a resume is little without it.'],
  paper: [false, 'The PDF and Word are a resume on paper, which has no place for it.'],
  years: [true, 'If you do not say how many, programs get the years counted from your jobs.'],
  jobs: [true, 'Who has access sees the jobs and projects themselves.'],
  id: [false, 'It is for programs.'],
  stranger: [false, 'It takes access: an e-mail address, or a link of yours.'],
  never: [false, 'It is never served to programs.'],
  word: [false, 'No file for Word is offered. You can offer it below.'],
  programs: [false, 'Programs may not read the rest of the resume. You can let them below.'],
};

/** The words for rows whose key says too little. */
const rowTitles: Readonly<Record<string, string>> = {
  ...{ location: 'Place', experience: 'Work', sections: 'Sections of your own', links: 'Links' },
};
/** The name of a row; for a section the heading that the owner gave it. */
const titleOf = (key: string): string =>
  String(editor.at(['resume', 'titles', key]) ?? rowTitles[key] ?? optionOf(key));

const listAt = (...path: string[]) => (editor.at(path) ?? []) as readonly string[];

/** What anybody sees; without the key, name and title. */
const publicNames = () => (editor.at(['public']) ?? ['name', 'title']) as readonly string[];

const hiddenIn = (medium: Medium) => [
  ...new Set([...(medium === 'page' ? listAt('resume', 'page_hides') : []), ...listAt('resume', 'hides', medium)]),
];

/** A setting that is on or off; by the first two, a form of the resume is offered at all. */
interface Offer {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly at: string;
  isOn(): boolean;
  set(isOn: boolean): void;
}

const flag = (key: string, label = labelOf(key).label, { hint } = labelOf(key)): Offer => ({
  ...{ label, hint, at: `/${key}`, isOn: () => editor.at([key]) === true, set: (isOn) => editor.set([key], isOn) },
});

const offers: Readonly<Record<string, Offer>> = {
  word: {
    label: 'Offer a file for Word',
    at: '/resume/downloads',
    isOn: () => listAt('resume', 'downloads').includes('docx'),
    set: (isOn) => editor.set(['resume', 'downloads'], isOn ? ['pdf', 'docx'] : undefined),
  },
  programs: flag('background'),
  evidence: flag('evidence'),
};

const isOffered = (reader: Reader): boolean => offers[reader]?.isOn() ?? true;

const isSeen = (key: string, reader: Reader): boolean =>
  reader === 'anyone' ? publicNames().includes(key) : isOffered(reader) && !hiddenIn(reader).includes(key);

const toggled = (names: readonly string[], name: string) =>
  names.includes(name) ? names.filter((one) => one !== name) : [...names, name];

function toggle(key: string, reader: Reader): void {
  if (reader === 'anyone') {
    // An empty list stays written: without the key, anybody would see name and title.
    const value = toggled(publicNames(), key);
    editor.apply([
      { op: 'test', path: '/public', value: editor.at(['public']) ?? null },
      { op: 'add', path: '/public', value },
    ]);
    return;
  }
  const hidden = toggled(hiddenIn(reader), key);
  editor.step(() => {
    if (reader === 'page') editor.set(['resume', 'page_hides'], undefined);
    editor.set(['resume', 'hides', reader], hidden);
  });
}

interface CellProps {
  readonly field: string;
  readonly reader: Reader;
  /** `tick`, or the reason why it cannot be changed. */
  readonly kind?: string;
}

function Tick({ field, reader }: CellProps): VNode {
  return html`<input type="checkbox" aria-label=${`${titleOf(field)}, ${titles[reader]}`}
    checked=${isSeen(field, reader)} onChange=${() => toggle(field, reader)} />`;
}

function Cell({ field, reader, kind = 'tick' }: CellProps): VNode {
  const reason = reasons[kind] ?? (isOffered(reader) ? undefined : reasons[reader]);
  if (reason === undefined) return html`<td><${Tick} field=${field} reader=${reader} /></td>`;
  const answer = reason[0] ? 'yes' : 'no';
  return html`<td><${Popover} text=${answer} title="Why"
    label=${`${titleOf(field)}, ${titles[reader]}: ${answer}. Why?`}>${() => html`<p>${reason[1]}</p>`}</${Popover}></td>`;
}

const isWritten = (key: string): boolean => {
  const path = { availability: [key, 'status'], references: ['resume', key, 'print'] }[key];
  const paths = path ? [path] : [['candidate', key], [key], ['resume', key]];
  return key === 'counts' || paths.some((one) => ![undefined, '', false].includes(editor.at(one) as string));
};

const listed = (words: readonly string[]) => new Intl.ListFormat('en').format(words);

/** Where people with access see something under `resume`, such as `on the page and in the PDF`; empty if nowhere. */
function placesOf(key: string): string {
  const words = { page: 'on the page', pdf: 'in the PDF', word: 'in the file for Word' };
  return listed(Object.entries(words).flatMap(([medium, where]) => (isSeen(key, medium as Medium) ? [where] : [])));
}

const tickedFor = (what: string) =>
  readers.filter((reader, index) => rows[what]!.split(' ')[index] === 'tick' && isOffered(reader));

/** Ticks for who sees something on the paper. */
export function SeesTicks({ what }: { readonly what: string }): VNode {
  return html`${tickedFor(what).map((reader) => html`<label class="choice"><${Tick} field=${what} reader=${reader} /> ${titles[reader]}</label>`)}
    <p class="pop-actions"><a href="#seen">Who sees what</a></p>`;
}

/** Beside a contact on the paper, who sees it, to be changed there; null if nothing is written. */
export function Sees({ what }: { readonly what: string }): VNode | null {
  if (!isWritten(what)) return null;
  const ticked = tickedFor(what);
  const seen = ticked.filter((reader) => isSeen(what, reader));
  const isForAll = seen.length === ticked.length;
  const some = seen.length === 0 ? 'nobody' : `${seen.map((reader) => titles[reader]).join(' and ')} only`;
  const words = ticked[0] === 'anyone' ? (isForAll ? 'everyone' : 'with access') : isForAll ? 'with access' : some;
  return html`<${Popover} class="sees" text=${words} label=${`Who sees ${titleOf(what).toLowerCase()}: ${words}`}
    title="Who sees it">${() => html`<${SeesTicks} what=${what} />`}</${Popover}>`;
}

/** What follows from the ticks, in sentences. */
function consequences(): string[] {
  const shown = publicNames()
    .filter(isWritten)
    .map((name) => titleOf(name).toLowerCase());
  const contacts = ['email', 'phone', 'photo', 'links'].filter(isWritten);
  const byPlaces = [...Map.groupBy(contacts, placesOf)].map(([places, keys]) => {
    const what = `Your ${listed(keys.map((key) => titleOf(key).toLowerCase()))} ${keys.length > 1 || keys[0] === 'links' ? 'are' : 'is'}`;
    return places === '' ? `${what} shown to nobody.` : `${what} ${places} that people with access open.`;
  });
  const isServed = (key: string) => rows[key]!.endsWith(' tick') && isWritten(key) && isSeen(key, 'programs');
  const served = Object.keys(rows)
    .filter(isServed)
    .map((key) => titleOf(key).toLowerCase());
  const more = served.length === 0 ? 'and nothing else' : `and ${listed(served)}`;
  return [
    shown.length === 0 ? 'A stranger sees nothing of you.' : `A stranger sees your ${listed(shown)}.`,
    ...byPlaces,
    `Programs of people with access read your jobs, projects and skills, ${more}.`,
    ...(isWritten('pdf_url')
      ? ['Visitors get the PDF of your own: what is ticked for the PDF does not change it.']
      : []),
  ];
}

/** Who sees what of the resume, as one table of ticks, with what follows from them. */
export function Seen(): VNode {
  const pdf = labelOf('resume.pdf_url');
  return html`<div class="paper panel">
    <header><h1>Who sees what</h1><p class="soft">People with access have given an e-mail address, or opened a link of yours.</p></header>
    <section class="panel-part"><ul class="consequences">${consequences().map((text) => html`<li>${text}</li>`)}</ul></section>
    <section class="panel-part" data-at="/resume/hides"><table class="seen" data-at="/public">
      <thead><tr><td></td>${readers.map((reader) => html`<th scope="col">${titles[reader]}</th>`)}</tr></thead>
      <tbody>${Object.entries(rows)
        .filter(([key]) => isWritten(key))
        .map(
          ([key, cells]) =>
            html`<tr key=${key}><th scope="row">${titleOf(key)}</th>${cells
              .split(' ')
              .map((kind, index) => html`<${Cell} field=${key} reader=${readers[index]!} kind=${kind} />`)}</tr>`,
        )}</tbody>
    </table><p class="soft">Of the summary, a stranger sees the first sentence. What has nothing written yet is not listed.</p></section>
    <section class="panel-part"><h2>What else they get</h2>
      ${Object.values(offers).map(
        ({ label, hint, at, isOn, set }) => html`<label class="choice" data-at=${at}>
        <input type="checkbox" checked=${isOn()} onChange=${() => set(!isOn())} /> ${label}</label>${hint && html`<p class="soft">${hint}</p>`}`,
      )}
      <label class="drawer-field" data-at="/resume/pdf_url"><span>${pdf.label}</span>
        <input type="url" value=${editor.at(['resume', 'pdf_url']) ?? ''} placeholder="https://"
          onChange=${({ currentTarget }: Event) => editor.set(['resume', 'pdf_url'], (currentTarget as HTMLInputElement).value.trim())} />
        <small>${pdf.hint}</small></label></section>
  </div>`;
}
