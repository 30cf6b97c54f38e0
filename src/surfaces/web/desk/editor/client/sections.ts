import { computed, signal } from '@preact/signals';
import { byLatestEnd, type DateSpan } from 'resume-profile/dates';
import { isLanguageTag, type ResumeWords, wordsOf } from 'resume-profile/resume-language';
import { sectionKeys, type TitledKey } from 'resume-profile/resume-section';
import { equals, valueAt } from '../../../../../model/profile/patch.ts';
import type { Path, Value } from '../../../../../model/profile/working-copy.ts';
import { labelOf } from '../labels.ts';
import { editor } from './state.ts';
import { announce } from './ui.ts';

/** Entries of a section: those of a list that name a section, or that name none. */
interface SectionPart {
  /** The path of the list. */
  readonly list: Path;
  /** The indexes of the entries, in the order in which they are shown. */
  readonly shown: readonly number[];
}

/** A section of the paper: a chapter of the resume, and the chapters with the same heading. */
export interface PaperSection {
  /** Its name in `resume.order`: its key, or its title; empty for areas of expertise, which follow the skills. */
  readonly name: string;
  /** The id of its element, which stays while its title is typed. */
  readonly id: string;
  readonly key: TitledKey | undefined;
  readonly heading: string;
  /** The path of the title that the heading is. */
  readonly titleAt: Path;
  readonly parts: readonly SectionPart[];
  /** The values of the lists of its parts. */
  readonly values: readonly Value[];
  readonly count: number;
}

type Values = Readonly<Record<string, Value>>;
export const mapOf = (value: Value): Values => (typeof value === 'object' && value !== null ? (value as Values) : {});
export const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);

const nameKeys = 'company title name institution degree organization role language url text bullet'.split(' ');

/** Returns what a person calls an entry or a line: the first text that it has; '' if it has none. */
export const nameOf = (value: Value): string =>
  typeof value === 'string'
    ? value.slice(0, 40)
    : String(nameKeys.flatMap((key) => mapOf(value)[key] || [])[0] ?? '').slice(0, 80);

let words: ResumeWords & { readonly language: string } = { ...wordsOf(), language: 'en' };

/** Returns the words of the resume's language; it is asked with each key. */
export function wordsIn(document: Value): typeof words {
  const tag = String(valueAt(document, ['resume', 'language']) ?? 'en');
  const language = tag === words.language || isLanguageTag(tag) ? tag : 'en';
  if (language !== words.language) words = { ...wordsOf(language), language };
  return words;
}

/** Returns the path of the list with the entries of a section that has a key. */
export function listPathOf(key: TitledKey): Path {
  if (key === 'summary' || key === 'domains') return ['candidate', key];
  if (key === 'experience' || key === 'projects') return [key];
  return ['resume', ...(key === 'references' ? [key, 'entries'] : [key === 'skills' ? 'skill_groups' : key])];
}

const isDated = (date: unknown) => /^\d{4}(-\d\d)?(-\d\d)?$/.test(String(date));

/** Returns when a job began and ended. A job without dates is one that is being written: it stands first. */
function spanOf(job: Value): DateSpan {
  const ends = listOf(mapOf(job).roles).map((role) => mapOf(role).end_date ?? null);
  const last = ends.includes(null) ? null : ends.map(String).sort().at(-1);
  const { company_start_date: from, company_end_date: until = last } = mapOf(job);
  return { from: isDated(from) ? String(from) : '9999', until: isDated(until) ? String(until) : null };
}

let sorted = { spans: '', indexes: [] as readonly number[] };

/** Returns the indexes of the entries of a list as they are shown: jobs with the latest first, unless the owner orders them. */
export function shownOrder(document: Value, list: Path): readonly number[] {
  const entries = listOf(valueAt(document, list));
  if (list[0] !== 'experience' || list.length > 1 || valueAt(document, ['resume', 'experience_order']) === 'as_written')
    return [...entries.keys()];
  const spans = entries.map(spanOf);
  const key = JSON.stringify(spans);
  if (sorted.spans !== key)
    sorted = {
      spans: key,
      indexes: [...entries.keys()].toSorted((one, other) => byLatestEnd(spans[one]!, spans[other]!)),
    };
  return sorted.indexes;
}

/** What else of `resume` a section shows. */
const besides: Readonly<Record<string, string>> = {
  ...{ skills: 'skills', experience: 'experience_order', publications: 'publication_style', references: 'references' },
};

/** Returns the sections in the order in which the resume has them; without content only those that are `opened`. */
export function sectionsOf(document: Value, opened: readonly string[] = []): PaperSection[] {
  const { headings } = wordsIn(document);
  const resume = mapOf(mapOf(document).resume);
  const order = listOf(resume.order);
  const usual: Values = { ...headings, summary: '', ...mapOf(resume.titles) };
  const chapterOf = (key: TitledKey, section?: unknown): Omit<PaperSection, 'id'> => {
    const list = listPathOf(key);
    const value = valueAt(document, list);
    const entries = listOf(value).map(mapOf);
    const shown = shownOrder(document, list).filter((index) => entries[index]!.section === section);
    const skills =
      entries.length > 0 ? shown.flatMap((index) => entries[index]!.skills ?? ['']) : listOf(resume.skills);
    const count = key === 'skills' ? skills.length : key === 'summary' ? Number(Boolean(value)) : shown.length;
    const shared = { key, parts: [{ list, shown }], values: [value, resume[besides[key] ?? '']], count };
    if (section === undefined)
      return {
        ...shared,
        name: key === 'domains' ? '' : key,
        heading: String(usual[key]),
        titleAt: ['resume', 'titles', key],
      };
    return { ...shared, name: String(section), heading: String(section), titleAt: [...list, shown[0]!, 'section'] };
  };
  const own = listOf(resume.sections).map((section, index): Omit<PaperSection, 'id'> => {
    const { title, entries } = mapOf(section);
    const [name, path, shown] = [String(title ?? ''), ['resume', 'sections', index], [...listOf(entries).keys()]];
    const parts = [{ list: [...path, 'entries'], shown }];
    return {
      key: undefined,
      name,
      heading: name,
      titleAt: [...path, 'title'],
      parts,
      values: [entries],
      count: shown.length || 1,
    };
  });
  const chapters = sectionKeys.flatMap((key) => {
    const named = new Set(listOf(valueAt(document, listPathOf(key))).flatMap((entry) => mapOf(entry).section ?? []));
    const others = [...named].map((title) => chapterOf(key, title));
    return [
      ...(key === 'interests' ? own : []),
      chapterOf(key),
      ...others,
      ...(key === 'skills' ? [chapterOf('domains')] : []),
    ];
  });
  // Chapters with the same heading are one section, as in the outline of the resume.
  const isHost = ({ key, heading }: Pick<PaperSection, 'key' | 'heading'>) =>
    key !== undefined && key !== 'domains' && heading !== '';
  const hosts = new Map(
    chapters
      .filter(isHost)
      .toReversed()
      .map((chapter) => [chapter.heading, chapter]),
  );
  const hostOf = (chapter: (typeof chapters)[number]) =>
    chapter.key === 'domains' ? chapter : (hosts.get(chapter.heading) ?? chapter);
  const placeOf = ({ name, key, heading }: (typeof chapters)[number]) => {
    const place = key === 'domains' ? -1 : order.findIndex((one) => one === heading || one === name);
    return place !== -1 ? place : key === 'summary' ? -1 : order.length;
  };
  return [...Map.groupBy(chapters, hostOf)]
    .map(([host, same]) => {
      const all = [host, ...same.filter((one) => one !== host)];
      const rank = Math.min(...all.filter((one) => one === host || one.count > 0).map(placeOf));
      const count = all.reduce((sum, one) => sum + one.count, 0);
      const [parts, values] = [all.flatMap((one) => one.parts), all.flatMap((one) => one.values)];
      return { ...host, id: `sec-${host.titleAt.join('-')}`, parts, values, count, rank };
    })
    .filter(({ key, count }) => count > 0 || key === 'summary' || opened.includes(key ?? ''))
    .sort((one, other) => one.rank - other.rank);
}

/** The keys of sections that are shown although they are empty. */
export const opened = signal<readonly string[]>([]);

/** Lets the section of a list stay when its last entry is removed. */
export function keepOpen(list: Path): void {
  const section = shownSections.peek().find(({ parts }) => parts.some((part) => equals(part.list, list)));
  if (section?.key !== undefined) opened.value = [...opened.value, section.key];
}

/** Whether nothing is published yet: what most resumes begin with is then offered. */
export const isNew = computed(() => sectionsOf(editor.copy.value.base).length === 1);

let before: readonly PaperSection[] = [];

/** The sections of the paper. A section that did not change is the same object, so that it is not drawn again. */
export const shownSections = computed(() => {
  const now = sectionsOf(editor.document.value, [
    ...opened.value,
    ...(isNew.value ? ['experience', 'education', 'skills'] : []),
  ]);
  const kept = now.map((section) => before.find((one) => one.id === section.id && equals(one, section)) ?? section);
  if (kept.length !== before.length || kept.some((one, index) => one !== before[index])) before = kept;
  return before;
});

/** What a person calls a section. */
export const nameOfSection = ({ heading, key }: PaperSection): string =>
  key === 'domains'
    ? labelOf('candidate.domains').label
    : heading || (key ? labelOf(`resume.titles.${key}`).label : 'Section');

/** Moves a section by some places, and says where it is. */
export function moveSection(section: PaperSection, by: number): void {
  const order = listOf(editor.at(['resume', 'order']));
  const shown = shownSections.value.flatMap(({ name }) => name || []);
  const to = shown.indexOf(section.name) + by;
  if (section.name === '' || to < 0 || to >= shown.length) return;
  const moved = shown.filter((one) => one !== section.name).toSpliced(to, 0, section.name);
  editor.set(['resume', 'order'], [...moved, ...order.filter((one) => !shown.includes(String(one)))]);
  announce(`${nameOfSection(section)}, ${to + 1} of ${shown.length}`);
}

/** Renames a section where its heading stands, and wherever an order, a view or an entry names it. */
export function renameSection({ titleAt, key, heading, parts }: PaperSection, title: string): void {
  const options = { joins: titleAt.join('/') };
  const isUsual = key && key !== 'summary' && title === wordsIn(editor.document.peek()).headings[key];
  const isNamed = titleAt[1] !== 'titles' && heading !== '' && title !== '';
  const views = Object.keys(mapOf(editor.at(['views']))).flatMap((view) =>
    ['order', 'hide'].map((list) => ['views', view, list]),
  );
  const entries = parts.flatMap(({ list, shown }) => shown.map((index) => [...list, index, 'section']));
  editor.step(() => {
    for (const path of isNamed ? [['resume', 'order'], ...views, ...entries] : []) {
      const value = editor.at(path);
      const toNow = (one: Value) => (one === heading ? title : one);
      const now = Array.isArray(value) ? value.map(toNow) : toNow(value);
      if (!equals(value, now)) editor.set(path, now, options);
    }
    if (titleAt.at(-1) !== 'section') editor.set(titleAt, isUsual ? undefined : title, options);
  });
}
