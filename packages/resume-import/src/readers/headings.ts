import { type SectionKey, sectionKeys } from 'resume-profile/resume-section';
import type { Draft, Heading } from '../draft/draft.ts';
import { literal, type Value } from '../source/value.ts';
import { topicOf } from './topics.ts';

/** The content of a section of the source, or a part of it; without a title, the source prints a word of its language. */
type Part = { readonly title: Value | undefined; readonly draft: Draft };

/** The section of a profile that a key of a draft belongs to; undefined if there is none. */
export function keyOf(name: string): SectionKey | undefined {
  if (name === 'positions') return 'experience';
  return name === 'skillGroups' ? 'skills' : sectionKeys.find((key) => key === name);
}

/** Adds up the parts of a source with their headings. Entries under a second heading of a key name the section. */
export function arranged(parts: readonly Part[]): Draft {
  const headings = headingsOf(parts);
  const job = headings.find(({ key }) => key === 'experience');
  const members = parts.flatMap(({ title, draft }) =>
    Object.entries(draft).map(([name, content]): Draft => {
      const key = keyOf(name);
      const isHead = headings.some((heading) => heading.key === key && heading.title?.text === title?.text);
      if (!title || !key || isHead || key === 'references' || !Array.isArray(content)) return { [name]: content };
      const section = literal(title.text);
      // Skills of another section are a group without a name.
      if (name === 'skills') return { skillGroups: content.length > 0 ? [{ section, skills: content }] : [] };
      return { [name]: content.map((entry) => ({ ...entry, section })) };
    }),
  );
  return { ...merged(members), headings, ...(job?.title && { positionsTitle: job.title.text }) };
}

/** Adds up drafts: all entries of their lists, and the first of other values. */
export function merged(drafts: readonly Draft[]): Draft {
  const all: Record<string, unknown> = {};
  for (const [key, value] of drafts.flatMap(Object.entries))
    if (Array.isArray(value)) all[key] = [...((all[key] as unknown[] | undefined) ?? []), ...value];
    else if (value !== undefined) all[key] ??= value;
  return all;
}

/**
 * Finds which key of a profile each title of a source heads: at most one, its topic's if it has such entries,
 * otherwise its first entry's. A key is headed by one title.
 */
function headingsOf(parts: readonly Part[]): Heading[] {
  const keyed = parts.flatMap(({ title, draft }) => Object.keys(draft).map((name) => ({ title, key: keyOf(name) })));
  const bySection = Map.groupBy(keyed, ({ title, key }) => title?.text ?? key);
  const sections = [...bySection.values()].map((entries) => {
    const { title } = entries[0]!;
    const keys = entries.flatMap(({ key }) => key ?? []);
    const topic = title && topicOf(title.text);
    const named = keys.find((key) => key === (topic === 'volunteering' ? 'volunteer' : topic));
    return { title, key: named ?? keys[0], isNamed: title === undefined || named !== undefined };
  });
  const heads = sectionKeys.flatMap((key) => {
    const own = sections.filter((each) => each.key === key);
    return own.find(({ isNamed }) => isNamed) ?? own[0] ?? [];
  });
  return sections.map((section) => ({ title: section.title, key: heads.includes(section) ? section.key : undefined }));
}
