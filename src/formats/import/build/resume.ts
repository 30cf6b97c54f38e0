import type { Profile } from '../../../model/profile/profile-document.ts';
import { isResumeLanguage } from '../../../model/profile/resume-language.ts';
import { sectionKeys } from '../../../model/profile/resume-section.ts';
import type { Draft, DraftEntry } from '../readers/draft.ts';
import { toEmail, toHeading, toWebAddress } from '../source/normalize.ts';
import { literal, omit, take, type Value } from '../source/value.ts';
import { takeFields, toEntries, toFields, toLines, toSectionEntries } from './entry.ts';

type Section = NonNullable<Profile['resume']['sections']>[number];
type Resume = Omit<Profile['resume'], 'skills'> & { skills?: string[] };

/** The lists of entries, with the fields of which an entry needs one. */
const mainFields = {
  education: ['institution', 'area', 'degree'],
  certifications: ['name'],
  languages: ['language'],
  publications: ['name'],
  awards: ['title'],
  volunteer: ['organization', 'role'],
  interests: ['name'],
} satisfies Partial<Record<keyof Draft, string[]>>;

/** Makes the fields of `resume` in a profile, without empty lists and without entries that lack their main field. */
export function toResume(draft: Draft, undated: readonly DraftEntry[]): Resume {
  const { references = [], areReferencesPrinted = false } = draft;
  const lists: Record<string, unknown[]> = { ...toSkills(draft), links: toLinks(draft.links ?? []) };
  for (const [key, fields] of Object.entries(mainFields))
    lists[key] = (draft[key as keyof typeof mainFields] ?? []).flatMap((entry) => toEntries(fields, entry));
  lists.sections = toSections(draft, undated);
  const asked = references.flatMap((entry) => toEntries(['name', 'reference'], entry));
  return {
    ...takeFields(toFields({ email: toEmail(draft.email), phone: draft.phone })),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(asked.length > 0 && { references: { print: areReferencesPrinted, entries: asked } }),
    ...toSettings(draft, lists.sections as Section[]),
  } as Resume;
}

/** Makes the order and the language of the resume, as far as a profile can have them. */
function toSettings({ order = [], language }: Draft, sections: readonly Section[]) {
  const known: readonly string[] = [...sectionKeys, ...sections.map(({ title }) => title)];
  const names = order.filter((name) => known.includes(name.text) || omit(name, 'It is not the name of a section'));
  const code = language && (isResumeLanguage(language.text) ? language : omit(language, 'It cannot be printed'));
  return { ...(names.length > 0 && { order: names.map(take) }), ...(code && { language: take(code) }) };
}

/** Skills without a group are a group without a name if there are groups, otherwise the list of skills. */
function toSkills({ skills = [], skillGroups = [], skillList = [] }: Draft) {
  if (skillGroups.length === 0) return { skills: toLines(skills).map(take) };
  const skill_groups = [...skillGroups, { skills }].flatMap((group) => toEntries(['name', 'skills'], group));
  return { skill_groups, skills: toLines(skillList).map(take) };
}

/** Makes the further sections; those with the same title become one. */
function toSections({ sections = [], positionsTitle = '' }: Draft, undated: readonly DraftEntry[]) {
  const made = [
    { title: toHeading(literal(positionsTitle))?.text ?? 'Experience', entries: undated.flatMap(toSectionEntries) },
    ...sections.flatMap(({ title, entries }) => {
      const line = toHeading(title);
      // An entry that is made counts as carried over.
      const own = line ? entries.flatMap(toSectionEntries) : [];
      return line && own.length > 0 ? [{ title: take(line), entries: own }] : [];
    }),
  ].filter(({ entries }) => entries.length > 0);
  return [...Map.groupBy(made, ({ title }) => title)].map(([title, same]) => ({
    title,
    entries: same.flatMap(({ entries }) => entries),
  }));
}

function toLinks(links: NonNullable<Draft['links']>): NonNullable<Resume['links']> {
  const seen = new Set<string>();
  return links.flatMap(({ label, url }) => {
    const address: Value | undefined = toWebAddress(url);
    if (address === undefined) return [];
    const isRepeated = seen.has(address.text);
    seen.add(take(address));
    const name = toHeading(label);
    if (!isRepeated) return [{ ...(name && { label: take(name) }), url: address.text }];
    if (label) omit(label, 'It belongs to a repeated link');
    return [];
  });
}
