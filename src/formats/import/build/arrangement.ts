import { isDeepStrictEqual } from 'node:util';
import { toOutline } from 'resume-documents/outline/outline';
import type { Draft } from 'resume-import/draft/draft';
import { isReordered } from 'resume-import/draft/experience';
import type { Fill } from 'resume-import/draft/fill';
import { languageOf } from 'resume-import/readers/languages';
import { toHeading } from 'resume-import/source/normalize';
import { omit, take, type Value } from 'resume-import/source/value';
import type { Profile } from 'resume-profile/profile-document';
import { designShape } from 'resume-profile/resume-design';
import { experienceOrders, publicationStyleShape } from 'resume-profile/resume-document';
import { isLanguageTag, wordsOf } from 'resume-profile/resume-language';
import { sectionKeys } from 'resume-profile/resume-section';

/** The entries of a profile, whose settings say how they are arranged. */
interface Entries extends Pick<Profile, 'experience' | 'projects'> {
  readonly resume: Partial<Profile['resume']>;
}

/** Makes the settings of `resume` as the source states them, or as it is arranged itself. */
export function toSettings(draft: Draft, entries: Entries, fill: Fill): Partial<Profile['resume']> {
  const language = toLanguage(draft, fill);
  const order = toExperienceOrder(draft, entries.experience);
  return {
    ...(language && { language }),
    ...toSections(draft, language, titlesIn(entries)),
    ...(order && { experience_order: order }),
    ...toDesign(draft),
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
function toSections({ headings = [], order, titles: stated }: Draft, tag: string | undefined, own: readonly string[]) {
  const known: readonly string[] = [...sectionKeys, ...own];
  const printed: Partial<Record<string, string>> = wordsOf(tag).headings;
  const toTitle = (key: string, title: Value | undefined) => {
    const heading = title && toHeading(title);
    return heading ? [[key, take(heading)]] : [];
  };
  const titles = stated
    ? Object.entries(stated).flatMap(([key, title]) => toTitle(key, title))
    : headings.flatMap(({ title, key }) => (key && title?.text !== printed[key] ? toTitle(key, title) : []));
  const names =
    order?.filter((name) => known.includes(name.text) || omit(name, 'It is not the name of a section')).map(take) ??
    headings.flatMap(({ title, key }) => key ?? title?.text ?? []).filter((name) => known.includes(name));
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

/** The order of experience that the source states; without one it is said if another order would be shown. */
function toExperienceOrder({ experienceOrder: stated }: Draft, experience: Profile['experience']) {
  const order = experienceOrders.find((each) => each === stated?.text);
  if (stated && order) take(stated);
  return order ?? (isReordered(experience) ? 'as_written' : undefined);
}

/** The style of publications and the look of the PDF that the source states, as far as a profile can have them. */
function toDesign({ publicationStyle, design = {} }: Draft): object {
  const stated = Object.entries({ publication_style: publicationStyle, ...design });
  return Object.fromEntries(
    stated.flatMap(([key, value]) => {
      if (value === undefined) return [];
      const { [key as keyof typeof shape]: field } = shape;
      const read = [value.text, Number(value.text)].map((each) => field.safeParse(each)).find(({ success }) => success);
      if (read === undefined) return omit(value, 'It is not a setting that a profile has') ?? [];
      take(value);
      return [[key, read.data]];
    }),
  );
}

const shape = { ...publicationStyleShape, ...designShape };
