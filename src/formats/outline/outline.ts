import { type ResumeWords, wordsOf } from '../../model/profile/resume-language.ts';
import { type SectionKey, sectionKeys } from '../../model/profile/resume-section.ts';
import { pluralize } from '../../model/text.ts';
import { given } from '../given.ts';
import { type Block, type Item, items, type Line, line, type Part } from './part.ts';
import { contentOf, type Source, toOwnSection } from './sections.ts';

/** A section; a summary has no name, and one of the profile's own no key. */
export interface Section extends Part {
  readonly key?: SectionKey | 'domains' | undefined;
  /** Its place in `resume.order`; those that the order does not name share the last. */
  readonly rank: number;
}

/** A resume in reading order, in the words of its language. Nothing in it is empty. */
export interface Outline {
  readonly language: string;
  readonly words: ResumeWords;
  /** The name of the candidate; empty if it is unwritten. */
  readonly author: string;
  /** The name, or its replacement if it is unwritten. */
  readonly names: readonly Item[];
  /** The lines below the name: the headline, contacts, links, and facts. */
  readonly blocks: readonly Line[];
  readonly sections: readonly Section[];
}

/**
 * Arranges a profile, without empty sections: first those that `resume.order` names, then the others. Every form of the
 * resume is set from it: Markdown, plain text, HTML and the PDF, and the visitor's page below its name, title and summary.
 */
export function toOutline(source: Source, words: ResumeWords = wordsOf(source.resume.language)): Outline {
  const { candidate, availability, resume } = source;
  const { language = 'en', order = [], sections: own = [], links = [] } = resume;
  const { domains, ...headings } = words.headings;

  const toSection = (key: Section['key'], heading: string | undefined, blocks: readonly Block[]): Section[] => {
    if (blocks.length === 0) return [];
    const place = order.findIndex((name) => key !== 'domains' && (name === key || name === heading));
    const rank = place !== -1 ? place : key === 'summary' ? -1 : order.length;
    return [{ key, rank, names: items(heading), dates: [], blocks }];
  };
  const further = own
    .filter(({ title }) => !Object.values(headings).includes(title))
    .flatMap(({ title, entries }) => toSection(undefined, title, toOwnSection(entries, words)));
  const sections = sectionKeys.flatMap((key) => {
    const heading = key === 'summary' ? undefined : headings[key];
    // A section of the profile's own that is titled like one with a key continues that one.
    const continued = own.filter(({ title }) => title === heading).flatMap(({ entries }) => entries);
    return [
      ...(key === 'interests' ? further : []),
      ...toSection(key, heading, [...contentOf[key](source, words), ...toOwnSection(continued, words)]),
      ...(key === 'skills' ? toSection('domains', domains, line(candidate.domains)) : []),
    ];
  });

  const [heading = words.resume, headline] = given(candidate.name, candidate.title);
  const years = candidate.years_experience;
  const experience =
    years > 0 && wordsOf(language) === wordsOf() ? `${pluralize(years, 'year')} of experience` : undefined;
  const email = { text: resume.email, kind: 'email' } as const;
  const phone = { text: resume.phone, kind: 'phone' } as const;
  const addresses = links.map(({ label, url }) => ({ text: label ?? url, url }));
  return {
    language,
    words,
    author: candidate.name,
    names: items(heading),
    blocks: [
      ...line([headline], 'headline'),
      ...line([candidate.location, email, phone], 'contacts'),
      ...line(addresses, 'links'),
      ...line([experience, { text: availability.status, kind: 'availability' }], 'facts'),
    ],
    sections: sections.toSorted((one, other) => one.rank - other.rank),
  };
}
