import { nonEmpty } from 'resume-profile/non-empty';
import type { Profile } from 'resume-profile/profile-document';
import { type ResumeWords, rowOf, wordsOf } from 'resume-profile/resume-language';
import { type SectionKey, sectionKeys, type TitledKey } from 'resume-profile/resume-section';
import { directionOf, pluralize } from 'resume-profile/text';
import {
  type Block,
  type Item,
  items,
  type Line,
  line,
  links,
  list,
  type Part,
  prose,
  toDates,
  withMarks,
} from './part.ts';
import { type Chapter, type Section, toSections } from './section.ts';

/** A resume in reading order, in the words of its language. Nothing in it is empty. */
export interface Outline {
  readonly language: string;
  /** The direction of its language, or of the candidate's texts if it has no language. */
  readonly direction: 'ltr' | 'rtl';
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
 * Arranges a profile, without empty sections: first those that `resume.order` names, then the others. Every form of the resume
 * uses it: the visitor's page, the PDF, Markdown, text and HTML.
 */
export function toOutline(source: Source, words: ResumeWords = wordsOf(source.resume.language)): Outline {
  const { candidate, availability, resume } = source;
  const [language = 'en'] = Intl.getCanonicalLocales(resume.language);
  const { order = [], sections: own = [], links = [] } = resume;
  const headings: { readonly [Key in TitledKey]?: string | undefined } = { ...words.headings, ...resume.titles };
  const chapters = sectionKeys.flatMap((key): Chapter[] => {
    const heading = headings[key];
    return [
      ...(key === 'interests' ? own : []).map(({ title, entries }) => ({
        heading: title,
        blocks: toOwnSection(entries, words),
      })),
      { key, heading, blocks: contentOf[key](entriesIn(undefined, source), words) },
      ...titlesOf(key, source).map((title) => {
        const blocks = contentOf[key](entriesIn(title, source), words);
        return {
          key,
          heading: title,
          blocks: key === 'languages' ? blocks.map((block) => withLabel(heading, block)) : blocks,
        };
      }),
      ...(key === 'skills'
        ? [{ key: 'domains', heading: headings.domains, blocks: line(candidate.domains) } as const]
        : []),
    ];
  });

  const [heading = words.resume, headline] = nonEmpty(candidate.name, candidate.title);
  const years = candidate.years_experience;
  const experience = years && wordsOf(language) === wordsOf() ? `${pluralize(years, 'year')} of experience` : undefined;
  const email = { text: resume.email, kind: 'email' } as const;
  const phone = { text: resume.phone, kind: 'phone' } as const;
  const addresses = links.map(({ label, url }) => ({ text: label ?? url, url }));
  const ownText = [candidate.summary, candidate.title, candidate.name].join(' ');
  return {
    language,
    direction: directionOf(resume.language === undefined || rowOf(language) === null ? ownText : words.resume),
    words,
    author: candidate.name,
    names: items(heading),
    blocks: [
      ...line([headline], 'headline'),
      ...line([candidate.location, email, phone], 'contacts'),
      ...line(addresses, 'links'),
      ...line([experience, { text: availability.status, kind: 'availability' }], 'facts'),
    ],
    sections: toSections(chapters, order),
  };
}

const listsOf = ({ experience, projects, resume }: Source) => ({
  ...resume,
  experience,
  projects,
  skills: resume.skill_groups,
});

/** The titles of other sections that the entries of a section name. */
function titlesOf(key: SectionKey, source: Source): string[] {
  const list: unknown = listsOf(source)[key as keyof ReturnType<typeof listsOf>];
  const entries: readonly { section?: string }[] = Array.isArray(list) ? list : [];
  return [...new Set(entries.flatMap(({ section }) => section ?? []))];
}

/** The source with only the entries that name a section; without a title, with the entries that name none. */
function entriesIn(title: string | undefined, { experience, projects, resume, ...source }: Source): Source {
  const isIn = (entry: unknown) => (entry as { section?: string }).section === title;
  const lists = Object.entries(resume).map(([key, list]) => [key, Array.isArray(list) ? list.filter(isIn) : list]);
  return {
    ...source,
    experience: experience.filter(isIn),
    projects: projects.filter(isIn),
    resume: Object.fromEntries(lists),
  };
}

/** Adds a label that says what the line lists, because the title of its section does not. */
const withLabel = (label: string | undefined, block: Block): Block =>
  'items' in block ? { ...block, label: items(label)[0] } : block;

type Job = Profile['experience'][number];

/** The parts of a profile that a resume shows, as far as its reader may see them. */
export interface Source extends Pick<Profile, 'candidate' | 'availability' | 'resume'> {
  readonly projects: readonly Profile['projects'][number][];
  readonly experience: readonly Job[];
}

type OwnEntry = NonNullable<Profile['resume']['sections']>[number]['entries'][number];

/** The content of each section that has a key in the profile. */
export const contentOf: Record<SectionKey, (source: Source, words: ResumeWords) => Block[]> = {
  summary: ({ candidate }) => prose(candidate.summary),
  experience: ({ experience }, words) => experience.map((job) => toJob(job, words)),
  projects: ({ projects }, words) => projects.map((project) => toProject(project, words)),
  skills: ({ resume }) => toSkills(resume),
  education: ({ resume }, words) =>
    (resume.education ?? []).map(({ institution, degree, area, score, details: highlights, ...school }) => {
      const names = items({ text: institution, url: school.url }, degree, area);
      return toPart(names, { ...school, highlights }, words, line([toScore(score, words)], 'score'));
    }),
  certifications: ({ resume }, words) =>
    (resume.certifications ?? []).map((it) => {
      const { dates, ...part } = toPart(items({ text: it.name, url: it.url }, it.issuer), it, words);
      // An end without a start would read as the date of issue.
      const until = dates.map(({ date, text }) => ({ date, text: `– ${text}` }));
      return { ...part, dates: it.date === undefined ? until : dates };
    }),
  languages: ({ resume }) =>
    line(resume.languages?.map(({ language, fluency }) => ({ text: language, note: fluency }))),
  publications: ({ resume, candidate }, words) => {
    const works = (resume.publications ?? []).map(({ name, publisher, authors, ...work }, index) => {
      const title = resume.publication_style === 'numbered' && name !== '' ? `${index + 1}. ${name}` : name;
      const names = items({ text: title, url: work.url }, { text: publisher, kind: 'publisher' });
      const by = authors?.map((text) => (isSame(text, candidate.name) ? ({ text, kind: 'self' } as const) : text));
      return toPart(names, work, words, line(by, 'authors'));
    });
    return resume.publication_style === 'by_year' ? byYear(works) : works;
  },
  awards: ({ resume }, words) =>
    (resume.awards ?? []).map((it) => toPart(items({ text: it.title, url: it.url }, it.awarder), it, words)),
  volunteer: ({ resume }, words) =>
    (resume.volunteer ?? []).map((it) => toPart(items(it.role, { text: it.organization, url: it.url }), it, words)),
  interests: ({ resume }, { comma }) =>
    line(resume.interests?.map(({ name, keywords = [] }) => ({ text: name, note: keywords.join(comma) || undefined }))),
  references: ({ resume: { references } }) =>
    references?.print
      ? references.entries.map(({ name, reference }) => ({ names: items(name), dates: [], blocks: prose(reference) }))
      : [],
};

/** A grade that is a number gets a label; a grade in words stays as written. */
const toScore = (score: string | undefined, words: ResumeWords): string | undefined =>
  score === undefined || /\p{L}/u.test(score) ? score : `${words.score}: ${score}`;

/** Groups entries below their years, the latest first; entries without a date come last. */
function byYear(entries: readonly Part[]): Part[] {
  const yearOf = ({ dates: [first] }: Part) => first?.date?.slice(0, 4) ?? '';
  const years = [...Map.groupBy(entries, yearOf)].toSorted(([one], [other]) => (one < other ? 1 : -1));
  return years.flatMap(([year, blocks]) => (year === '' ? blocks : { names: items(year), dates: [], blocks }));
}

/** Whether an author has a name: the same words, or the last name with the first name or its initial. */
function isSame(author: string, name: string): boolean {
  const [own, others] = [name, author].map((text) =>
    text
      .toLowerCase()
      .split(/[\s.,*]+/)
      .filter((word) => !['', 'dr', 'prof'].includes(word)),
  ) as [string[], string[]];
  const [first, last] = [own[0], own.at(-1)];
  if (own.length < 2 || !others.includes(last!)) return own.length > 0 && own.join(' ') === others.join(' ');
  const givenName = others.find((word) => word !== last);
  return (
    givenName !== undefined &&
    (givenName === first || givenName === [...new Intl.Segmenter().segment(first!)][0]!.segment)
  );
}

/** The content of a section of the profile's own, with its consecutive bullets as one list. */
function toOwnSection(entries: readonly OwnEntry[], words: ResumeWords): Block[] {
  const blocks: Block[] = [];
  for (const { text, bullet, name, details, organization, ...entry } of entries) {
    const { url, highlights = [], ...others } = entry;
    const title = { text: name, url };
    const lead = prose(text);
    const last = blocks.at(-1);
    const hasBullets = lead.some(({ items: [it] }) => it!.paragraphs?.some(({ bullets }) => bullets.length > 0));
    const inline = withMarks(details ?? '', Number.POSITIVE_INFINITY);
    if (organization !== undefined || Object.keys(others).length > 0 || entry.highlights || hasBullets) {
      // Names have no marks.
      const [beside, above] = typeof inline === 'string' ? [inline, []] : [undefined, line([inline])];
      const names = items(title, organization, beside);
      const texts = [...nonEmpty(bullet), ...highlights];
      blocks.push(toPart(names, { ...entry, highlights: texts }, words, [...above, ...lead]));
      continue;
    }
    const [own] = list(nonEmpty(bullet));
    if (own && last && 'bullets' in last) blocks.splice(-1, 1, { bullets: [...last.bullets, ...own.bullets] });
    else if (own) blocks.push(own);
    if (nonEmpty(name, text, url).length > 0)
      blocks.push({ names: items(title, inline), dates: [], blocks: [...lead, ...links(url)], isLine: true });
  }
  return blocks;
}

/** A job with one role for all its time as one part; otherwise the company, with a part for each role. */
function toJob(
  { company, location, url, summary, roles, ...job }: Source['experience'][number],
  words: ResumeWords,
): Part {
  const dates = toDates(words, job.company_start_date, job.company_end_date);
  const about = [...prose(summary, 'company'), ...links(url)];
  const names = items({ text: company, url, kind: 'company' });
  const parts = roles.map((role) => ({
    names: items(role.title),
    place: role.location ?? location,
    dates: toDates(words, role.start_date, role.end_date),
    blocks: [...prose(role.summary), ...list(role.accomplishments)],
  }));
  const [role, ...others] = parts;
  const textOf = (part: Pick<Part, 'dates'>) => part.dates.map(({ text }) => text).join();
  if (role && others.length === 0 && textOf(role) === textOf({ dates }))
    return { ...role, names: [...role.names, ...names], blocks: [...about, ...role.blocks] };
  // Without a company name, the role takes its place.
  if (company === '' && role) return { names, dates, blocks: [...about, ...parts] };
  const beside = parts.map((part) => ({ ...part, place: part.place === location ? undefined : part.place }));
  return { names, place: location, dates, blocks: [...about, ...beside] };
}

const toProject = (project: Source['projects'][number], words: ResumeWords): Part => {
  const { name, role, start_date, end_date, summary, highlights, tags, links: urls } = project;
  // The address of a code host does not identify a project, so the project's name gets the link.
  const forge = Object.values(urls).find((url = '') => /^https?:\/\/(www\.)?github\.com\/?$/.test(url));
  const addresses = (['live', 'github', 'details'] as const).map((kind) => ({
    text: urls[kind],
    url: urls[kind],
    kind,
  }));
  return {
    names: items({ text: name, url: forge }, role),
    dates: toDates(words, start_date, end_date),
    blocks: [...prose(summary), ...list(highlights), ...line(tags, 'tags'), ...line(addresses, 'links')],
  };
};

/** A line for each group that has skills, and one line for the groups that are only a name and a level. */
function toSkills({ skills, skill_groups: groups }: Source['resume']): Block[] {
  if (groups === undefined) return line(skills);
  const nameOf = ({ name, level }: (typeof groups)[number]) =>
    name === undefined ? items(level) : items({ text: name, note: level });
  const bare = groups.filter(({ name, skills }) => name !== undefined && skills.length === 0);
  return [...groups.flatMap((group) => line(group.skills, undefined, nameOf(group)[0])), ...line(bare.flatMap(nameOf))];
}

const toPart = (names: readonly Item[], entry: OwnEntry, words: ResumeWords, lead: readonly Block[] = []): Part => ({
  names,
  place: entry.location,
  dates: toDates(words, entry.date, entry.start_date, entry.end_date),
  blocks: [...lead, ...prose(entry.summary), ...list(entry.highlights), ...links(entry.url)],
});
