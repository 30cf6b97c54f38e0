import { byLatestEnd, type DateSpan } from 'resume-profile/dates';
import { isLanguageTag, type ResumeWords, wordsOf } from 'resume-profile/resume-language';
import { sectionKeys, type TitledKey } from 'resume-profile/resume-section';
import { equals, valueAt } from '../../../../../model/profile/patch.ts';
import type { Path, Value } from '../../../../../model/profile/working-copy.ts';
import { labelOf } from '../labels.ts';
import { editor } from './state.ts';

/** Entries of a section: those of a list that name a section, or that name none. */
export interface SectionPart {
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

/** Returns the sections in the order in which the resume has them; without content only those that are `opened`. */
export function sectionsOf(document: Value, opened: ReadonlySet<string> = new Set()): PaperSection[] {
  const words = wordsIn(document);
  const resume = mapOf(mapOf(document).resume);
  const titles = mapOf(resume.titles);
  const own = listOf(resume.sections).map(mapOf);
  const order = listOf(resume.order);
  const headingOf = (key: TitledKey) =>
    String(titles[key] ?? (key === 'summary' ? '' : words.headings[key as keyof typeof words.headings]));
  const chapterOf = (key: TitledKey, section?: unknown): PaperSection => {
    const list = listPathOf(key);
    const value = valueAt(document, list);
    const entries = listOf(value);
    const shown = shownOrder(document, list).filter((index) => mapOf(entries[index]).section === section);
    const heading = section === undefined ? headingOf(key) : String(section);
    const groups = shown.map((index) => Math.max(1, listOf(mapOf(entries[index]).skills).length));
    const skills = entries.length > 0 ? groups.reduce((sum, size) => sum + size, 0) : listOf(resume.skills).length;
    const count = key === 'skills' ? skills : key === 'summary' ? Number(Boolean(value)) : shown.length;
    const name = section === undefined ? (key === 'domains' ? '' : key) : heading;
    const titleAt = section === undefined ? ['resume', 'titles', key] : [...list, shown[0]!, 'section'];
    // What else a section shows of the document.
    const keys = {
      skills: 'skills',
      experience: 'experience_order',
      publications: 'publication_style',
      references: 'references',
    };
    const beside = resume[keys[key as keyof typeof keys] ?? ''];
    const id = `sec-${titleAt.join('-')}`;
    return { name, id, key, heading, titleAt, parts: [{ list, shown }], values: [value, beside], count };
  };
  const chapters = sectionKeys.flatMap((key): PaperSection[] => {
    const named = new Set(listOf(valueAt(document, listPathOf(key))).flatMap((entry) => mapOf(entry).section ?? []));
    return [
      ...(key !== 'interests' ? [] : own).map(({ title, entries }, index): PaperSection => {
        const list = ['resume', 'sections', index, 'entries'];
        const shown = [...listOf(entries).keys()];
        const titleAt = ['resume', 'sections', index, 'title'];
        const name = String(title ?? '');
        const id = `sec-${titleAt.join('-')}`;
        const parts = [{ list, shown }];
        return { name, id, key: undefined, heading: name, titleAt, parts, values: [entries], count: shown.length || 1 };
      }),
      chapterOf(key),
      ...[...named].map((title) => chapterOf(key, title)),
      ...(key === 'skills' ? [chapterOf('domains')] : []),
    ];
  });
  // Chapters with the same heading are one section, as in the outline of the resume.
  const hostOf = ({ key, heading }: PaperSection) =>
    (key !== 'domains' &&
      heading !== '' &&
      chapters.find((one) => one.key && one.key !== 'domains' && one.heading === heading)) ||
    undefined;
  const placeOf = ({ name, key, heading }: PaperSection) => {
    const place = key === 'domains' ? -1 : order.findIndex((one) => one === heading || one === name);
    return place !== -1 ? place : key === 'summary' ? -1 : order.length;
  };
  return [...Map.groupBy(chapters, (chapter) => hostOf(chapter) ?? chapter)]
    .map(([host, same]) => {
      const all = [host, ...same.filter((one) => one !== host)];
      const [parts, values] = [all.flatMap((one) => one.parts), all.flatMap((one) => one.values)];
      const count = same.reduce((sum, one) => sum + one.count, 0);
      const rank = Math.min(...same.filter((one) => one === host || one.count > 0).map(placeOf));
      return { ...host, parts, values, count, rank };
    })
    .filter(({ name, key, count }) => count > 0 || key === 'summary' || opened.has(name || String(key)))
    .sort((one, other) => one.rank - other.rank);
}

/** What a person calls a section. */
export const nameOfSection = ({ heading, key }: PaperSection): string =>
  key === 'domains'
    ? labelOf('candidate.domains').label
    : heading || (key ? labelOf(`resume.titles.${key}`).label : 'Section');

/** Moves a section to another place among those that are shown; the order names as few sections as give it. */
export function moveSection(name: string, to: number, opened: ReadonlySet<string>): void {
  const namesWith = (order: readonly string[]) => {
    const document = mapOf(editor.document.peek());
    return sectionsOf({ ...document, resume: { ...mapOf(document.resume), order } }, opened).flatMap(
      (one) => one.name || [],
    );
  };
  const before = listOf(editor.at(['resume', 'order'])).map(String);
  const present = namesWith(before);
  const asked = present.filter((one) => one !== name).toSpliced(to, 0, name);
  const moved = asked[0] === 'summary' ? asked.slice(1) : asked;
  const needed =
    moved.map((_, index) => moved.slice(0, index)).find((order) => equals(namesWith(order), asked)) ?? asked;
  editor.set(['resume', 'order'], [...needed, ...before.filter((one) => !present.includes(one))]);
}

/** Renames a section where its heading stands, and wherever an order, a view or an entry names it. */
export function renameSection({ titleAt, key, heading, parts }: PaperSection, title: string): void {
  const joins = titleAt.join('/');
  const isUsual = key && key !== 'summary' && title === wordsIn(editor.document.peek()).headings[key];
  const isNamed = titleAt[1] !== 'titles' && heading !== '' && title !== '' && heading !== title;
  const views = Object.keys(mapOf(editor.at(['views'])));
  const orders = [
    ['resume', 'order'],
    ...views.flatMap((view) => [
      ['views', view, 'order'],
      ['views', view, 'hide'],
    ]),
  ];
  const entries = parts.flatMap(({ list, shown }) => shown.map((index) => [...list, index, 'section']));
  editor.step(() => {
    for (const list of isNamed ? orders.filter((one) => listOf(editor.at(one)).includes(heading)) : [])
      editor.set(
        list,
        listOf(editor.at(list)).map((one) => (one === heading ? title : one)),
        { joins },
      );
    for (const at of isNamed ? entries.filter((one) => editor.at(one) === heading) : [])
      editor.set(at, title, { joins });
    if (titleAt.at(-1) !== 'section') editor.set(titleAt, isUsual ? undefined : title, { joins });
  });
}

/** Whether the resume has a section with content or a place for it already. */
export const isFirstWriting = (document: Value): boolean =>
  sectionsOf(document).every(({ key, count }) => key === 'summary' || count === 0);
