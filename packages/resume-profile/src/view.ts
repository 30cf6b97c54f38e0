import type { z } from 'zod';
import type { Warning } from './lint.ts';
import { nearestName } from './nearest-name.ts';
import { ownTitlesOf, type Profile } from './profile-document.ts';
import { sectionKeys, titledKeys } from './resume-section.ts';
import { toVisible } from './text.ts';
import { goneViews } from './view-fields.ts';
import type { Path } from './yaml/yaml.ts';

/** A valid profile document as it is written, with its views. */
export type ProfileText = z.input<typeof Profile>;

/**
 * Returns the document that a person would write by hand for the readers of one view, without views; it is valid if the whole
 * document is.
 */
export function documentOfView(document: ProfileText, name: string): ProfileText {
  const { views: _, ...whole } = document;
  const { title, summary, theme, order, hide = [] } = document.views![name]!;
  const { candidate, experience, projects, resume, ...rest } = placedIn(whole, name, new Set(hide)) as typeof whole;
  const isHidden = (text: string) => hide.includes(text);
  const shown = <Entry extends { readonly section?: string | undefined }>(key: string, entries: readonly Entry[]) =>
    entries.filter(({ section = key }) => !isHidden(section));

  const { skills, references, sections, titles, ...lists } = resume;
  const shownResume = {
    ...Object.fromEntries(
      Object.entries(lists).map(([key, value]) => [
        key,
        isSection(key) ? shown(sectionOf(key), value as object[]) : value,
      ]),
    ),
    ...(skills !== undefined && { skills: isHidden('skills') ? [] : skills }),
    ...(references !== undefined && !isHidden('references') && { references }),
    ...(sections !== undefined && { sections: sections.filter((section) => !isHidden(section.title)) }),
    ...(titles !== undefined && {
      titles: Object.fromEntries(Object.entries(titles).filter(([key]) => !isHidden(key))),
    }),
    ...(theme !== undefined && { theme }),
  };
  const shownDocument = {
    ...rest,
    candidate: {
      ...candidate,
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(isHidden('summary') && { summary: '' }),
      ...(isHidden('domains') && { domains: [] }),
    },
    experience: shown('experience', experience),
    projects: shown('projects', projects),
    resume: shownResume as typeof resume,
  };
  const known: readonly string[] = [...sectionKeys, ...ownTitlesOf(shownDocument as unknown as Profile)];
  const shownOrder = (order ?? resume.order)?.filter((section) => known.includes(section) && !isHidden(section));
  return { ...shownDocument, resume: { ...shownDocument.resume, ...(shownOrder && { order: shownOrder }) } };
}

/** Leaves out, at any depth, the entries and texts that `in` places in other views, and those with hidden ids. */
function placedIn(value: unknown, view: string, hidden: ReadonlySet<unknown>): unknown {
  const isShown = (item: { in?: string[]; id?: string } | null | undefined) =>
    item?.in?.includes(view) !== false && !hidden.has(item?.id);
  if (Array.isArray(value)) return value.filter(isShown).map((item) => placedIn(item, view, hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, placedIn(inner, view, hidden)]));
}

/** Returns the ids of all entries, roles and texts. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(idsIn);
  return 'id' in value && typeof value.id === 'string' ? [value.id, ...inner] : inner;
}

/** The section that a list of the resume is printed in, unless an entry names another. */
const sectionOf = (key: string): string => (key === 'skill_groups' ? 'skills' : key);

const isSection = (key: string): boolean => (sectionKeys as readonly string[]).includes(sectionOf(key));

/**
 * Warns of probable mistakes: names of views, ids and sections that do not exist, texts and entries in no view, views without
 * an entry, and views that tokens read but the document lacks.
 */
export function viewWarningsOf(document: ProfileText, inUse: Iterable<string>): Warning[] {
  const { views = {}, ...rest } = document;
  const names = Object.keys(views);
  const sections = [...titledKeys, ...ownTitlesOf(document as unknown as Profile)];
  const known = [...idsIn(rest), ...sections];
  return [
    ...placementsIn(document).flatMap(({ path, views }) => [
      ...unknownIn(views, names, 'view', [...path, 'in']),
      ...(views.some((view) => names.includes(view)) ? [] : [{ path, message: isInNoView }]),
    ]),
    ...Object.entries(views).flatMap(([view, { hide = [] }]) =>
      unknownIn(hide, known, 'entry or section', ['views', view, 'hide']),
    ),
    ...names
      .filter((view) => !hasEntries(documentOfView(document, view)))
      .map((view) => ({ path: ['views', view], message: 'is empty: it shows no entry of any section' })),
    ...goneViews(inUse, new Set(names)).map((view) => ({
      path: ['views'],
      message: `does not have ${toVisible(view)}, which tokens read: they get the public part until another view is set`,
    })),
  ];
}

const isInNoView = 'is in no view: the whole profile alone has it';

/** Warns of the names in a list that do not exist; `path` is the path of the list. */
const unknownIn = (list: readonly string[], known: readonly string[], kind: string, path: Path): Warning[] =>
  list.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const nearest = nearestName(name, known);
    const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
    return [{ path: [...path, index], message: `there is no ${kind} ${toVisible(name)}${hint}` }];
  });

/** Finds the entries and texts that name the views that show them. */
function placementsIn(value: unknown, path: Path = []): { path: Path; views: readonly string[] }[] {
  if (typeof value !== 'object' || value === null || path[0] === 'views') return [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    placementsIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  const { in: views } = value as { readonly in?: readonly string[] };
  return views === undefined ? inner : [{ path, views }, ...inner];
}

const hasEntries = ({ experience, projects, resume }: ProfileText): boolean => {
  const { references, sections = [], ...lists } = resume;
  const listed = [experience, projects, references?.entries ?? [], ...sections.map(({ entries }) => entries)];
  const printed = Object.entries(lists).flatMap(([key, value]) => (isSection(key) ? [value as unknown[]] : []));
  return [...listed, ...printed].some((entries) => entries.length > 0);
};
