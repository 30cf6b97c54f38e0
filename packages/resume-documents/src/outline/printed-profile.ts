import { toCandidateKey, toId, withIds } from 'resume-profile/ids';
import type { Profile } from 'resume-profile/profile-document';
import { skillsIn } from 'resume-profile/resume-document';
import { sectionKeys } from 'resume-profile/resume-section';
import { toOutline } from './outline.ts';

/**
 * Reduces a profile to the printed content of its PDF, in profile form. Left out are texts that the outline lacks and entries
 * that have no other text; ids, which are made of names instead; and settings except for the order of the sections and of jobs,
 * the style of publications, and the language.
 */
export function printedProfileOf(profile: Profile): Omit<Profile, 'public'> {
  const { candidate, experience, projects, availability, resume } = profile;
  const { order = [], language, experience_order, publication_style, size, pages, ...content } = resume;
  const shown = { candidate, experience, projects, availability, resume: content };
  const { resume: markedContent, ...rest } = marked(shown, '') as typeof shown;
  const { blocks, ...outline } = toOutline({ ...rest, resume: { ...markedContent, ...(language && { language }) } });
  // The PDF has no facts, such as the availability.
  const set = JSON.stringify([outline, blocks.filter(({ key }) => key !== 'facts')]);
  const printed = new Set(Array.from(set.matchAll(mark), ([, path]) => path!));
  const kept = keptOf(shown, '', printed) as Partial<typeof shown>;
  const titles = (kept.resume?.sections ?? []).map(({ title }) => title);
  const named = order.filter((name) => [...sectionKeys, ...titles].includes(name));
  return {
    candidate: {
      ...{ name: '', title: '', location: '', summary: '', domains: [], ...kept.candidate },
      ...{ id: toId('cand', toCandidateKey(candidate.name)) },
    },
    // Among entries with the same name, the older ones, which come later, get the plain id.
    experience: withIds('exp', (kept.experience ?? []).toReversed(), ({ company }) => company).reverse(),
    projects: withIds('proj', (kept.projects ?? []).toReversed(), ({ name }) => name).reverse(),
    availability: { status: '' },
    resume: {
      skills: skillsIn(kept.resume?.skill_groups ?? []),
      ...kept.resume,
      ...(named.length > 0 && { order: named }),
      ...(language && { language }),
      ...(experience_order && { experience_order }),
      ...(publication_style && { publication_style }),
    },
  };
}

const mark = /\u{10fffd}([^\u{10fffd}\u{10fffe}]*)\u{10fffe}/gu;

/** A copy of a value with its path after each text, which identifies the text in the outline. */
function marked(value: unknown, path: string): unknown {
  if (typeof value === 'string') return value === '' ? '' : `${value}\u{10fffd}${path}\u{10fffe}`;
  if (Array.isArray(value)) return value.map((item, index) => marked(item, `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, marked(member, `${path}.${key}`)]));
}

/**
 * The part of a value whose texts are printed; undefined if none is. Dates stay with their entry, because equal dates are
 * printed once; so do numbers, null, and empty texts and lists.
 */
function keptOf(value: unknown, path: string, printed: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return printed.has(path) ? value : undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => keptOf(item, `${path}.${index}`, printed) ?? []);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value).map(
    ([key, member]) => [key, keptOf(member, `${path}.${key}`, printed), member] as const,
  );
  if (members.every(([, kept]) => kept === undefined)) return undefined;
  const isWithEntry = (key: string, member: unknown) =>
    key.endsWith('date') ||
    member === '' ||
    member === null ||
    (Array.isArray(member) && member.length === 0) ||
    ['number', 'boolean'].includes(typeof member);
  return Object.fromEntries(
    members.flatMap(([key, kept, member]) => {
      if (kept !== undefined) return [[key, kept]];
      if (isWithEntry(key, member)) return [[key, member]];
      if (key === 'links' && !Array.isArray(member)) return [[key, {}]];
      // Lists that a profile requires, such as the roles of a job.
      return Array.isArray(member) && ['roles', 'accomplishments'].includes(key) ? [[key, []]] : [];
    }),
  );
}
