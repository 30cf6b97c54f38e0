import { pluralize } from '../../model/pluralize.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { wordsOf } from '../../model/profile/resume-language.ts';
import { type SectionKey, sectionKeys } from '../../model/profile/resume-section.ts';
import { given } from '../given.ts';
import { toOwnSection } from './own-section.ts';
import { type Block, type Part, paragraph } from './part.ts';
import { sections } from './sections.ts';
import { wordingIn } from './wording.ts';

/**
 * Arranges a profile in reading order, without empty sections: first those that `resume.order` names, then the others. Markdown,
 * plain text and HTML are written from it.
 */
export function toOutline(profile: Profile): Part {
  const { candidate, availability, resume } = profile;
  const words = wordsOf(resume.language);
  const wording = wordingIn(words);
  const { part, listed } = wording;
  const section = (names: readonly string[], heading: string, blocks: Block[]) => ({
    names,
    blocks: blocks.length === 0 || heading === '' ? blocks : [part([heading], undefined, '', blocks)],
  });
  const own = (resume.sections ?? []).map(({ title, entries }) => ({ title, blocks: toOwnSection(entries, wording) }));
  // A section of the profile's own that is titled like one with a key continues that one.
  const shipped = (key: SectionKey) => {
    const heading = key === 'summary' ? '' : words.headings[key];
    const continued = own.filter(({ title }) => title === heading).flatMap(({ blocks }) => blocks);
    return section([key, heading], heading, [...sections[key](profile, wording), ...continued]);
  };
  const { domains, ...headings } = words.headings;
  const isContinuing = (title: string) => Object.values(headings).includes(title);
  const further = own
    .filter(({ title }) => !isContinuing(title))
    .map(({ title, blocks }) => section([title], title, blocks));
  const all = sectionKeys.flatMap((key) => [
    ...(key === 'interests' ? further : []),
    shipped(key),
    ...(key === 'skills' ? [section([], domains, listed(candidate.domains))] : []),
  ]);
  const { order = [] } = resume;
  const rankOf = ({ names }: { names: readonly string[] }) => {
    const place = order.findIndex((name) => names.includes(name));
    if (place !== -1) return place;
    return names.includes('summary') ? -1 : order.length;
  };
  const years = candidate.years_experience;
  const experience = words === wordsOf() ? [`${pluralize(years, 'year')} of experience`] : [];
  return part(
    given(candidate.name, candidate.title, words.resume).slice(0, 1),
    undefined,
    '',
    paragraph(given(candidate.name && candidate.title)),
    paragraph(given(candidate.location, resume.email, resume.phone)),
    paragraph(resume.links ?? []),
    paragraph(given(...experience, availability.status)),
    all.toSorted((one, other) => rankOf(one) - rankOf(other)).flatMap(({ blocks }) => blocks),
  );
}
