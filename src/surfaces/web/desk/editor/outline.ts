import { html } from 'hono/html';
import { byLatestEnd } from 'resume-profile/dates';
import { isSortedByTime } from 'resume-profile/profile-reader';
import { toVisible } from 'resume-profile/text';
import type { Html, Site } from '../../page.ts';
import { type DocumentValues, valueAt } from './document-values.ts';
import { countAt, type FormEntries } from './form-entries.ts';
import { optionOf } from './labels.ts';
import type { Place } from './part-values.ts';
import { groups, type Part, parts } from './parts.ts';

interface Outline {
  readonly site: Site;
  /** How many drafts are kept. */
  readonly drafts: number;
  readonly values: DocumentValues;
  /** The draft that is edited; null if it is the document. */
  readonly draftId: string | null;
  /** The form or the page that is shown; null if the outline does not have it. */
  readonly place: Place | FilePage | null;
}

type FilePage = 'yaml' | 'drafts' | 'history';

/** Puts the outline beside a page of the profile that is not a form. */
export const besideOutline = (shown: Outline & { readonly preview?: Html | undefined }, body: Html): Html =>
  html`<div class="editor">\n${outline(shown)}\n<div class="overview" id="${contentId}">\n${body}\n</div>\n${shown.preview ?? ''}</div>`;

/** The id of the content beside the outline. */
export const contentId = 'content';

export const previewId = 'preview';

/** The address of a form. */
export const pathOf = ({ part, entry }: Place, draftId: string | null): string =>
  `/desk/profile/edit/${part.name}${entry === null ? '' : `/${entry}`}${draftId === null ? '' : `?draft=${draftId}`}`;

/** The address of a text as YAML. */
export const yamlPathOf = (draftId: string | null): string =>
  `/desk/profile/yaml${draftId === null ? '' : `?draft=${draftId}`}`;

/**
 * The forms of the editor and the pages of the file, each with its count. If there is no room beside a form or a page,
 * a button opens the outline.
 */
export const outline = (shown: Outline): Html => html`${
  shown.place === null
    ? ''
    : html`<p class="parts-bar"><button type="button" class="plain" popovertarget="outline">Sections</button>${
        typeof shown.place === 'string'
          ? ''
          : html` <a href="#${contentId}">Form</a> <a href="#${previewId}">Preview</a>`
      }</p>\n`
}<nav class="outline" id="outline" aria-label="The profile"${shown.place === null ? '' : ' popover'}>
${groups.map(
  (group) => html`<h2>${group}</h2>
<ul>${parts.filter((part) => part.group === group).map((part) => rowsOf(part, shown))}
</ul>`,
)}
<h2>The file</h2>
<ul>${filePages.map(
  ([name, title]) => html`
<li><a href="${shown.site.path(name === 'yaml' ? yamlPathOf(shown.draftId) : `/desk/profile/${name}`)}"${shown.place === name ? html` aria-current="page"` : ''}>${title}</a>${name === 'drafts' && shown.drafts > 0 ? html` <span class="soft small">${shown.drafts}</span>` : ''}</li>`,
)}
</ul>
</nav>`;

const filePages: readonly (readonly [FilePage, string])[] = [
  ['drafts', 'Drafts'],
  ['history', 'History'],
  ['yaml', 'As YAML'],
];

function rowsOf(part: Part, shown: Outline): Html {
  if (!part.isByEntry) return row({ part, entry: null }, html`${part.title}`, noteOf(part, shown.values), shown);
  const entries = entriesOf(part, shown.values);
  return html`${inShownOrder(entries, shown.values).map(({ entry, index }) =>
    row(
      { part, entry: index },
      html`<bdi>${toVisible(String(entry.company || 'Without a name'))}</bdi>`,
      periodOf(entry),
      shown,
    ),
  )}${row({ part, entry: entries.length }, html`+ Add a company`, '', shown)}${
    entries.length === 0 ? '' : row({ part, entry: null }, html`Move or remove`, '', shown)
  }`;
}

/** Returns entries with their indexes, in the order in which visitors get them. */
function inShownOrder<Entry extends Readonly<Record<string, unknown>>>(all: readonly Entry[], values: DocumentValues) {
  const entries = all.map((entry, index) => ({ entry, index, from: dateIn(entry.company_start_date) ?? '', until: dateIn(entry.company_end_date) })); // biome-ignore format: one line
  return isSortedByTime(valueAt(values, ['resume']) ?? {}) ? entries.toSorted(byLatestEnd) : entries;
}

/** Whether the form of all companies orders them otherwise than visitors get them; companies without a date are left out. */
export function isReordered(entries: FormEntries, values: DocumentValues): boolean {
  const dateOf = (key: string, index: number) => entries.get(`experience.${index}.${key}`)?.[0]?.trim();
  const companies = Array.from({ length: countAt(entries, 'experience') }, (_, index) => ({
    company_start_date: dateOf('company_start_date', index),
    company_end_date: dateOf('company_end_date', index),
  }));
  const dated = companies.filter(({ company_start_date: from }) => dateIn(from) !== null);
  return inShownOrder(dated, values).some(({ index }, at) => index !== at);
}

/** Returns a date of a document that may have faults; null if it is not a date. */
const dateIn = (date: unknown): string | null => (/^\d{4}(-\d\d){0,2}$/.test(String(date ?? '')) ? String(date) : null);

const row = (place: Place, title: Html, note: Html | string, { site, draftId, place: current }: Outline): Html => html`
<li><a href="${site.path(pathOf(place, draftId))}"${typeof current === 'object' && current?.part === place.part && current.entry === place.entry ? html` aria-current="page"` : ''}>${title}</a> <span class="soft small">${note}</span></li>`;

/** Returns the entries of a part that has a form for each of them. */
export function entriesOf({ paths }: Part, values: DocumentValues): readonly Readonly<Record<string, unknown>>[] {
  const entries = valueAt(values, paths[0]!.split('.'));
  return Array.isArray(entries) ? entries.map((entry) => entry ?? {}) : [];
}

/** Returns a word or a number about the content of a part; '' if there is nothing to say. */
function noteOf({ name, paths, group }: Part, values: DocumentValues): Html | string {
  const held = paths.map((path) => {
    const value = valueAt(values, path.split('.'));
    return Array.isArray(value) ? value : (valueAt(value, ['entries']) ?? value);
  });
  if (name === 'availability' || name === 'look')
    return typeof held[0] === 'string'
      ? html`<bdi>${toVisible(name === 'look' ? optionOf(held[0]) : held[0])}</bdi>`
      : '';
  const isAudience = name === 'readers';
  const lists = (isAudience ? held.slice(0, 1) : held).filter((value) => Array.isArray(value));
  // Skills are counted in their groups, as an import does.
  const countOf = (list: readonly unknown[]): number =>
    list.reduce((sum: number, one) => {
      const skills = name === 'skills' ? valueAt(one, ['skills']) : undefined;
      return sum + (Array.isArray(skills) ? skills.length : 1);
    }, 0);
  const count = lists.reduce((sum, list) => sum + countOf(list), 0);
  if (count === 0 || (group !== 'More' && !isAudience)) return '';
  return isAudience ? `${count} public` : String(count);
}

function periodOf({ company_start_date: start, company_end_date: end }: Readonly<Record<string, unknown>>): string {
  const [from, to] = [start, end].map((date) => /^\d{4}/.exec(String(date ?? ''))?.[0]);
  if (from === undefined) return '';
  return from === to ? from : `${from} – ${to ?? 'now'}`;
}
