import { isProse } from 'resume-profile/texts';
import type { Draft, DraftEntry } from '../draft/draft.ts';
import { type Block, isLinkedIn, toBlocks } from '../source/blocks.ts';
import type { TextDocument } from '../source/document.ts';
import { changed, exclude, joined, type Leaf, layoutReason, type Value } from '../source/value.ts';
import { toContacts } from './document/contact.ts';
import { bodyOf, type Entry, readText, toEntries, toHead } from './document/entries.ts';
import { toLinkedIn, toLinkedInHead } from './document/linkedin.ts';
import { toDatedLine, toFreeLines, toGroups, toLanguages, toSkills } from './document/lists.ts';
import { type Section, toSections } from './document/sections.ts';
import { isDocumentTitle, isJobTitle } from './document/wording.ts';
import { toBody, toEducation, toFreeEntry, toPositions, toRest, toVolunteering } from './document/work.ts';
import { arranged, keyOf, merged } from './headings.ts';
import { withoutMeaning } from './rich-text.ts';

/**
 * Reads a resume laid out for people. Content that its words and layout do not tell stays in its section; texts that the
 * draft does not use are among `leaves`, to be kept as notes.
 */
export function toDocumentDraft(document: TextDocument): { draft: Draft; leaves: readonly Leaf[] } {
  const blocks = toBlocks(document);
  const isLayout = (block: Block) => block.isRunning || isDocumentTitle(block.text);
  for (const block of blocks) if (isLayout(block)) exclude(readText(block), layoutReason);
  const content = blocks.filter((block) => !isLayout(block));
  const { name, preamble, sections } = toSections(content.filter(({ isFooter }) => !isFooter));
  const isFromLinkedIn = isLinkedIn(document);
  const parts = sections.map((section) => {
    const title = readText(section.heading, section.heading.text.replace(/\s*:$/, ''));
    const draft = (isFromLinkedIn && toLinkedIn(section)) || toDraft(section, title, sections);
    // It is among the headings, unless it is the usual word of the language.
    if (Object.keys(draft).some(keyOf)) exclude(title, 'The resume has this heading anyway');
    return { title, draft };
  });
  const contactBlocks = sections.filter(({ topic }) => topic === 'contact').flatMap((section) => section.blocks);
  const { others, ...contacts } = toContacts([...preamble, ...contactBlocks]);
  // A footer belongs to no section.
  const { others: notes, ...footer } = toContacts(content.filter(({ isFooter }) => isFooter));
  for (const block of notes) readText(block);
  const head = isFromLinkedIn ? toLinkedInHead(others) : toPreamble(others);
  return {
    leaves: blocks[0]?.leaves ?? [],
    draft: withoutMarks({
      ...merged([contacts, footer]),
      ...head,
      ...(name && toName(name)),
      ...arranged(parts),
      isInOrder: true,
    }),
  };
}

/** Keeps signs in the prose of a draft from being read as marks, which nobody has written. */
function withoutMarks<Part>(part: Part, key = ''): Part {
  if (Array.isArray(part)) return part.map((item) => withoutMarks(item, key)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  if ('parts' in part) return (isProse([key]) ? withoutMeaning(part as unknown as Value) : part) as Part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withoutMarks(inner, name)])) as Part;
}

/** The name, and the title after it on its line. */
function toName(block: Block): Pick<Draft, 'name' | 'title'> {
  const [, name, title] = /^([^,]+),\s*(.+)$/.exec(block.text) ?? [];
  if (name === undefined || !isJobTitle(title!)) return { name: readText(block) };
  return { name: readText(block, name), title: readText(block, title!) };
}

/** The line below the name is the title, and long paragraphs are the summary. Other lines remain notes. */
function toPreamble(blocks: readonly Block[]): Pick<Draft, 'title' | 'summary'> {
  const [first] = blocks;
  const title =
    first && first.text.length <= 100 && !first.isBullet && !/\d|[.:]$/.test(first.text) ? first : undefined;
  const paragraphs = blocks.filter(({ isLong, text }) => isLong && text.length > 80);
  for (const block of blocks) if (block !== title && !paragraphs.includes(block)) readText(block);
  return { ...(title && { title: readText(title) }), summary: toProse(paragraphs) };
}

const toProse = (blocks: readonly Block[]): Value | undefined =>
  joined(
    blocks.map((block) => readText(block)),
    '\n',
    'lines joined',
  );

const readers = { experience: toPositions, education: toEducation, volunteering: toVolunteering };

function toDraft(section: Section, title: Value, all: readonly Section[]): Draft {
  const { topic, blocks } = section;
  const own = (entries: readonly DraftEntry[]) => (entries.length > 0 ? { sections: [{ title, entries }] } : {});
  const isFirst = all.find((other) => other.topic === topic) === section;
  const { lead, entries } = toEntries(blocks);
  switch (topic) {
    case 'contact':
      exclude(title, layoutReason);
      return {};
    case 'summary':
      if (!isFirst) return own(toFreeLines(blocks));
      return { summary: toProse(blocks) };
    case 'experience':
    case 'education':
    case 'volunteering': {
      const { others, ...read } = readers[topic](entries);
      return { ...read, ...own([...toFreeLines(lead), ...others]) };
    }
    case 'skills': {
      const { groups, others } = toSkills(blocks);
      const isPlain = groups.every(({ name }) => name === undefined) && isFirst;
      const skills = isPlain ? { skills: groups.flatMap((group) => group.skills) } : { skillGroups: groups };
      return { ...skills, ...own(others) };
    }
    case 'languages': {
      const { languages, others } = toLanguages(blocks);
      return { languages, ...own(others) };
    }
    case 'projects': {
      if (entries.length > 0) return { projects: entries.map(toProject), ...own(toFreeLines(lead)) };
      const undated = toGroups(lead).map(([first, ...others]) => ({ ...toHead([first]), body: bodyOf(others) }));
      return { projects: undated.map(toProject) };
    }
    case 'interests': {
      const interests = toSkills(blocks).groups.flatMap(({ name, skills }) =>
        name ? [{ name, keywords: skills }] : skills.map((skill) => ({ name: skill })),
      );
      return { interests };
    }
    case 'references':
      return { references: blocks.map((block) => ({ reference: readText(block) })) };
    case 'certifications':
    case 'publications':
    case 'awards': {
      const titles = [...lead.map(({ text }) => text), ...entries.map(({ parts }) => parts[0]?.text ?? '')];
      // An entry written in sentences, such as “Doe J. A title. A journal”, has no recognizable name.
      const isTold = entries.length > 0 && lead.length === 0 && !titles.some((text) => /\.\s+\p{Lu}/u.test(text));
      if (topic === 'publications' && !isTold) return own([...toFreeLines(lead), ...entries.map(toFreeEntry)]);
      const lines = entries.length > 0 ? [] : lead.map((block) => toDatedLine(block));
      const named = entries.map((entry) => {
        const { start, end, parts, location, url } = toRest(entry);
        const [name, ...others] = parts.map(({ value }) => value);
        const { summary, highlights } = toBody(entry);
        const rest = [...others, location, summary, ...highlights];
        const expires = topic === 'certifications' && entry.isRange;
        return { name, date: start, ...(expires && { end }), url, summary: joined(rest, ', ', 'joined') };
      });
      const made = [...named, ...lines];
      const unnamed = entries.length > 0 ? own(toFreeLines(lead)) : {};
      if (topic === 'publications') return { publications: made };
      if (topic === 'certifications') return { certifications: made, ...unnamed };
      return { awards: made.map(({ name, ...rest }) => ({ title: name, ...rest })), ...unnamed };
    }
    default:
      return own([...toFreeLines(lead), ...entries.map(toFreeEntry)]);
  }
}

function toProject(entry: Omit<Entry, 'key'>): NonNullable<Draft['projects']>[number] {
  const { parts, start, end, location, url } = toRest(entry);
  const [name, ...others] = parts;
  const { summary, highlights } = toBody(entry);
  const more = others.map(({ value }) => value);
  const toAddress = (value: Value, url: string) => changed(value, `written as the address ${url}`, url);
  return {
    name: name?.value,
    ...(entry.isRange ? { start, end } : { start }),
    urls: [url, name?.url === undefined ? undefined : toAddress(name.value, name.url)].flatMap((each) => each ?? []),
    summary: joined([...more, location, summary], '\n', 'lines joined'),
    highlights,
  };
}
