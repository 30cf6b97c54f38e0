import { isDeepStrictEqual } from 'node:util';
import { toOutline } from 'resume-documents/outline/outline';
import { ownTitlesOf, Profile } from 'resume-profile/profile-document';
import { sectionKeys } from 'resume-profile/resume-section';
import { type DocumentValues, valueAt, withValueAt } from './document-values.ts';
import { countAt, type FormEntries, normalized } from './form-entries.ts';
import { labelOf } from './labels.ts';

/** The path of the order. Its form lists all sections with content as they are printed, not only the named ones. */
export const orderPath = 'resume.order';

/** Returns the printed titles by the names of the sections in `resume.order`; null if a document has faults. */
export function sectionTitles(document: unknown): ReadonlyMap<string, string> | null {
  const { data: profile } = Profile.safeParse(document);
  return profile === undefined ? null : titlesOf(profile);
}

function titlesOf(profile: Profile): ReadonlyMap<string, string> {
  const own: readonly string[] = ownTitlesOf(profile);
  return new Map(
    toOutline(profile).sections.flatMap(({ key, names }): [string, string][] => {
      const title = names[0]?.text ?? '';
      if (own.includes(title)) return [[title, title]];
      // The areas of expertise follow the skills.
      if (key === undefined || key === 'domains') return [];
      return [[key, title === '' ? labelOf(`resume.titles.${key}`).label : title]];
    }),
  );
}

/** Returns the form values of the order; null if the document has faults and its order is shown as written. */
export function orderEntries(document: unknown): [string, string[]][] | null {
  const titles = sectionTitles(document);
  return (
    titles && [
      [`${orderPath}#`, [String(titles.size)]],
      ...[...titles.keys()].map((name, index): [string, string[]] => [`${orderPath}.${index}`, [name]]),
    ]
  );
}

/**
 * Returns the shortest `resume.order` that gives the order in the form, then the named sections that are empty now;
 * undefined if it would name nothing.
 */
export function readOrder(entries: FormEntries, document: unknown): readonly string[] | undefined {
  const { data: profile } = Profile.safeParse(document);
  const list = Array.from(
    { length: countAt(entries, orderPath) },
    (_, index) => entries.get(`${orderPath}.${index}`)?.[0] ?? '',
  );
  if (profile === undefined) return list;
  const before = profile.resume.order;
  const present = [...titlesOf(profile).keys()];
  const asked = [...new Set([...list.filter((name) => present.includes(name)), ...present])];
  if (isDeepStrictEqual(asked, present)) return before;
  const absent = (before ?? []).filter((name) => !present.includes(name));
  const arranges = (order: readonly string[]) =>
    isDeepStrictEqual([...titlesOf({ ...profile, resume: { ...profile.resume, order: [...order] } }).keys()], asked);
  // The summary comes first in any case.
  const moved = asked[0] === 'summary' ? asked.slice(1) : asked;
  const needed = moved.map((_, index) => moved.slice(0, index)).find(arranges) ?? asked;
  const order = [...needed, ...absent];
  return order.length === 0 ? undefined : order;
}

/** The path of the owner's own sections. */
export const sectionsPath = 'resume.sections';

/**
 * Returns a document whose orders and views follow the section titles in a form: a new title replaces the old one, and
 * a removed section is left out.
 */
export function withTitlesOf(entries: FormEntries, before: DocumentValues, now: DocumentValues): DocumentValues {
  const [old, held] = [before, now].map((document) => ownSections(document).map(({ title }) => title));
  if (isDeepStrictEqual(old, held)) return now;
  const titles = new Map<unknown, unknown>(old!.filter((title) => !isNamed(now, title)).map((title) => [title, null]));
  for (let index = 0; index < countAt(entries, sectionsPath); index += 1) {
    const [origin, title] = ['@', '.title'].map((key) => entries.get(`${sectionsPath}.${index}${key}`)?.[0] ?? '');
    const before = origin === '' ? undefined : old![Number(origin)];
    if (titles.has(before)) titles.set(before, normalized(title!) || null);
  }
  const toNow = (names: unknown): unknown => {
    const known = new Set((names as readonly unknown[]).map((name) => (titles.has(name) ? titles.get(name) : name)));
    known.delete(null);
    return known.size === 0 ? undefined : [...known];
  };
  const views = Object.keys(now.views ?? {}).flatMap((view) => [`views.${view}.order`, `views.${view}.hide`]);
  return [orderPath, ...views]
    .map((path) => path.split('.'))
    .filter((path) => Array.isArray(valueAt(now, path)))
    .reduce((changed, path) => withValueAt(changed, path, toNow(valueAt(changed, path))), now);
}

/** Returns the owner's own sections of a document that may have faults. */
export const ownSections = (document: DocumentValues): readonly { readonly title?: unknown }[] => {
  const sections = valueAt(document, sectionsPath.split('.'));
  return Array.isArray(sections) ? sections.map((section) => section ?? {}) : [];
};

/** Whether a title is the key of a section, or an entry names it as its `section`. */
const isNamed = ({ resume, ...lists }: DocumentValues, title: unknown): boolean =>
  (sectionKeys as readonly unknown[]).includes(title) ||
  [...Object.values(lists), ...Object.values(resume ?? {})].flat().some((entry) => entry?.section === title);
