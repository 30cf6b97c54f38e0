import type { Paragraph } from 'docx';
import { shownIn } from 'resume-profile/hides';
import { nonEmpty } from 'resume-profile/non-empty';
import type { Profile } from 'resume-profile/profile-document';
import stringWidth from 'string-width';
import type { Letter } from '../letter.ts';
import { bareOf, toEntry } from '../outline/entry.ts';
import { toOutline } from '../outline/outline.ts';
import { type Block, type Line, type List, type Part, worded } from '../outline/part.ts';
import type { Section } from '../outline/section.ts';
import { type Page, toDocument } from './document.ts';
import { toHead } from './head.ts';
import { type Inline, type Setter, setterOf, size, strong, toInlines, toLink, toRuns } from './text.ts';

/**
 * Writes the content of the PDF as a Word document, or a letter below the head of the resume: the same bytes for the same
 * profile, photo and letter.
 */
export function toDocx(profile: Profile, page: Page, letter?: Letter): Promise<Uint8Array<ArrayBuffer>> {
  const outline = toOutline(shownIn('word', profile));
  const photo = profile.resume.hides?.word?.includes('photo') ? null : page.photo;
  const { author, words } = outline;
  const set = setterOf(outline.direction);
  // Only the page shows the domains.
  const sections = outline.sections.filter(({ key }) => key !== 'domains');
  const content =
    letter === undefined ? sections.flatMap((section) => toSection(section, set, words.comma)) : toBody(letter, set);
  return toDocument(outline, {
    ...page,
    title: nonEmpty(author, letter?.subject ?? words.resume).join(' – '),
    content: [...toHead(outline, photo), ...content],
  });
}

/** The paragraphs of a letter, whose spaces above are in ems. */
function toBody({ date, to, subject, blocks }: Letter, set: Setter): Paragraph[] {
  const [partGap, paragraphGap] = [1.6, 0.7];
  return [
    set.paragraph(toRuns(date), { style: 'Date', before: partGap }),
    set.paragraph(toRuns(to.join('\n')), { before: paragraphGap }),
    set.paragraph(toRuns(subject, strong), { before: partGap, keepNext: true }),
    ...blocks.flatMap(({ items }) => items.flatMap((text) => set.prose(text, paragraphGap))),
  ];
}

/** The sections whose entries keep the space between them even if each is on one line. */
const careers = ['experience', 'projects', 'education', 'volunteer', 'references'];

function toSection({ key, names: [title], blocks }: Section, set: Setter, comma: string): Paragraph[] {
  const isTight = !careers.includes(key ?? '') && blocks.every(isBrief);
  const content = blocks.flatMap((block, index) => {
    const last = blocks[index - 1];
    const isClose = isTight || (last !== undefined && isNamedLine(last) && isNamedLine(block));
    const gap = last === undefined ? (title === undefined ? sectionGap : 0) : isClose ? 0 : entryGap;
    if ('bullets' in block) return set.bullets(block.bullets, gap);
    if ('items' in block)
      return block.items[0]!.paragraphs
        ? set.prose(block.items[0]!, gap)
        : [set.paragraph(toLabelled(block, set, comma), { before: gap })];
    if (isNamedLine(block)) return [set.paragraph(toNamedLine(block, set), { before: gap })];
    return toParagraphs(block, 3, gap, set, comma, key === 'education' ? 6 : 1);
  });
  return title === undefined ? content : [set.paragraph(toRuns(title.text), { heading: 2 }), ...content];
}

/** The space above in ems. */
const [sectionGap, entryGap, roleGap] = [0.8, 0.65, 0.25];

const isNamedLine = (block: Block): boolean => 'names' in block && block.isLine === true;
const isBrief = (block: Block): boolean =>
  !('names' in block) ||
  block.isLine === true ||
  block.blocks.every((inner) => 'items' in inner && inner.key === 'links');

/** Texts on a line, after a label if there is one. */
const toLabelled = ({ label, items }: Line, set: Setter, comma: string): Inline[] => [
  ...(label === undefined ? [] : toRuns(`${worded(label)}: `, strong)),
  ...set.joined(
    items.map((item) => toRuns(worded(item))),
    comma,
  ),
];

/** An entry that is a line, with its name as the label. */
function toNamedLine({ names: [label, ...details], blocks }: Part, set: Setter): Inline[] {
  const lines = blocks.filter((block) => 'items' in block);
  const url = lines.find(({ key }) => key === 'links')?.items[0]?.url;
  const texts = [...details, ...lines.flatMap(({ key, items }) => (key === 'links' ? [] : items))];
  const inlines = texts.map((text) => toInlines(text, {}, url));
  if (label !== undefined)
    inlines.unshift([...toInlines(label, strong, url), ...(details.length > 0 ? toRuns(':', strong) : [])]);
  return inlines.length === 0 && url !== undefined ? [toLink(url, bareOf(url))] : set.joined(inlines, ' ');
}

/** An entry with its roles. A list of several items, each of at most `brief` words, is a line. */
function toParagraphs(part: Part, level: 3 | 4, before: number, set: Setter, comma: string, brief = 1): Paragraph[] {
  const { authors, publisher, dois, paragraphs, bullets, tags, links, roles, ...head } = toEntry(part);
  const by = [
    set.joined(
      authors.map(({ text, kind }) => toRuns(text, kind === 'self' ? strong : {})),
      comma,
    ),
    ...publisher.map(({ text }) => toRuns(text, { italics: true })),
    ...dois.map(({ text, url = text }) => [toLink(url, bareOf(url))]),
  ];
  const details = [
    ...(tags.length === 0
      ? []
      : [
          set.joined(
            tags.map((tag) => toRuns(tag, quiet)),
            comma,
            quiet,
          ),
        ]),
    ...links.map(({ text, url = text }) => [toLink(url, bareOf(url))]),
  ];
  const isAlone = head.names.length === 0;
  return [
    ...toHeading(head, level, before, set, comma),
    ...(authors.length === 0 ? [] : [set.paragraph(set.joined(by, ' · '))]),
    ...paragraphs.flatMap((text) => set.prose(text)),
    ...(bullets.length > 1 && bullets.every((text) => isShort(text, brief))
      ? [
          set.paragraph(
            set.joined(
              bullets.map((text) => toInlines(text)),
              ' · ',
            ),
          ),
        ]
      : set.bullets(bullets)),
    ...(details.length === 0 ? [] : [set.paragraph(set.joined(details, ' · '))]),
    ...roles.flatMap((role, index) =>
      toParagraphs(role, isAlone ? level : 4, isAlone && index > 0 ? entryGap : roleGap, set, comma),
    ),
  ];
}

/** Counts bytes, like the PDF, because Chinese has no spaces between words. */
const isShort = (item: List['bullets'][number], words: number): boolean =>
  typeof item === 'string'
    ? Buffer.byteLength(item) <= 40 && item.split(/\s+/).length <= words
    : (item.paragraphs ?? []).every(({ bullets }) => bullets.length === 0) && isShort(item.text, words);

/** An estimate of how many characters fit on a heading line. */
const charactersOfHeading = 93;

/** The heading line of an entry: its names and place, and its dates at the end of the line. */
function toHeading(
  { names: [title, ...others], place, dates }: Pick<Part, 'names' | 'place' | 'dates'>,
  heading: 3 | 4,
  before: number,
  set: Setter,
  comma: string,
): Paragraph[] {
  const linked = ({ text, url, kind }: Part['names'][number], style: object): Inline[] => {
    const own = kind === 'publisher' ? { ...style, italics: true } : style;
    return url === undefined ? toRuns(text, own) : [toLink(url, text, { ...own, style: 'Linked' })];
  };
  const when = dates.map(({ text }) => text).join(' – ');
  const names = [title, ...others].map((name) => name?.text).join(comma);
  const isLong = stringWidth([names, place ?? '', when].join(' · ')) > charactersOfHeading;
  const about = [
    ...(title === undefined ? [] : linked(title, {})),
    ...others.flatMap((name) => [...set.neutral(comma, beside), ...linked(name, beside)]),
    ...(place === undefined
      ? []
      : [
          ...(title === undefined || isLong ? [] : set.neutral(' · ', aside)),
          // A place that does not fit begins the next line, without a separator.
          ...toRuns(isLong ? `\n${place}` : place, aside),
        ]),
  ];
  if (about.length === 0 && when === '') return [];
  const content = when === '' ? about : [...about, set.tab(), ...set.neutral(when, { ...aside, size })];
  return [set.paragraph(content, title === undefined ? { style: 'Entry', before } : { heading, before })];
}

/** The text beside a heading, in the style of paragraphs. */
const beside = { bold: false, color: '000000' };
const aside = { bold: false, style: 'Aside' };
const quiet = { style: 'Aside' };
