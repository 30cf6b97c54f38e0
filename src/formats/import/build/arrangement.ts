import { isDeepStrictEqual } from 'node:util';
import type { Profile } from '../../../model/profile/profile-document.ts';
import { isLanguageTag, wordsOf } from '../../../model/profile/resume-language.ts';
import { sectionKeys } from '../../../model/profile/resume-section.ts';
import { toOutline } from '../../outline/outline.ts';
import type { Draft } from '../readers/draft.ts';
import { languageOf } from '../readers/languages.ts';
import { toHeading } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { isReordered } from './experience.ts';
import type { Fill } from './fill.ts';

/** The entries of a profile, whose settings say how they are arranged. */
interface Entries extends Pick<Profile, 'experience' | 'projects'> {
  readonly resume: Partial<Profile['resume']>;
}

/** Makes the settings of `resume` as the source states them, or as it is arranged itself. */
export function toSettings(draft: Draft, entries: Entries, fill: Fill): Partial<Profile['resume']> {
  const language = toLanguage(draft, fill);
  return {
    ...(language && { language }),
    ...toSections(draft, language, titlesIn(entries)),
    ...(isReordered(entries.experience) && { experience_order: 'as_written' as const }),
  };
}

/** The titles of the sections that are not called by a key: those of the profile's own, and those that entries name. */
function titlesIn({ experience, projects, resume }: Entries): string[] {
  const lists: readonly unknown[] = [experience, projects, ...Object.values(resume)];
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  return [
    ...(resume.sections ?? []).map(({ title }) => title),
    ...entries.flatMap((entry: { section?: string }) => entry.section ?? []),
  ];
}

/** The titles and the order of sections. */
function toSections({ headings = [] }: Draft, tag: string | undefined, own: readonly string[]) {
  const known: readonly string[] = [...sectionKeys, ...own];
  const printed: Partial<Record<string, string>> = wordsOf(tag).headings;
  const toTitle = (key: string, title: Value | undefined) => {
    const heading = title && toHeading(title);
    return heading ? [[key, take(heading)]] : [];
  };
  const titles = headings.flatMap(({ title, key }) => (key && title?.text !== printed[key] ? toTitle(key, title) : []));
  const names = headings.flatMap(({ title, key }) => key ?? title?.text ?? []).filter((name) => known.includes(name));
  return {
    ...(titles.length > 0 && { titles: Object.fromEntries(titles) }),
    ...(names.length > 0 && { order: names }),
  };
}

/** Leaves out an order that is that of the sections without it. */
export function withoutUsualOrder(profile: Profile): Profile {
  const { order, ...resume } = profile.resume;
  const unordered = { ...profile, resume };
  const titlesIn = (one: Profile) => toOutline(one).sections.map(({ names }) => names[0]?.text);
  return isDeepStrictEqual(titlesIn(profile), titlesIn(unordered)) ? unordered : profile;
}

/** The language that the source states, otherwise the one that its headings are in, unless that is English. */
function toLanguage({ language: stated, headings = [] }: Draft, fill: Fill): string | undefined {
  if (stated) return isLanguageTag(stated.text) ? take(stated) : omit(stated, 'It is not the tag of a language');
  const recognised = languageOf(headings.flatMap(({ title }) => title?.text ?? []));
  if (recognised === undefined || recognised === 'en') return undefined;
  return fill('resume.language', recognised, 'recognised by the headings of the resume');
}
