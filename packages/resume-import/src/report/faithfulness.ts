import { toOutline } from 'resume-documents/outline/outline';
import type { Profile } from 'resume-profile/profile-document';
import { textsOf } from 'resume-profile/texts';
import type { Draft, Heading } from '../draft/draft.ts';
import { escaped, withoutHtml } from '../readers/rich-text.ts';
import { toHeading } from '../source/normalize.ts';
import type { Input } from '../source/tree.ts';
import { type Leaf, literal, shortened } from '../source/value.ts';

/** Which of some things of a source the profile has as they are written there, and where those are that it has not. */
export interface Faithfulness {
  readonly of: 'headings' | 'order of sections' | 'order of jobs' | 'dates' | 'emphasis' | 'links in texts';
  readonly values: number;
  readonly kept: number;
  readonly places: readonly string[];
}

/** Compares a profile with what it was made of: headings and order as they are printed, dates, emphasis and links. */
export function toFaithfulness({ leaves }: Input, draft: Draft, profile: Profile): Faithfulness[] {
  const printed = toOutline(profile).sections.flatMap(({ names }) => names[0]?.text ?? []);
  // References are not printed unless their owner says so.
  const isPrinted = ({ key }: Heading) => key !== 'references' || profile.resume.references?.print;
  const headings = (draft.headings ?? []).filter(isPrinted).flatMap(({ title }) => toHeading(title)?.text ?? []);
  const kept = leaves.filter(({ changes, isContent }) => isContent && changes !== null);
  // In the others, signs are what they are.
  const written = kept.filter(({ changes }) => !changes!.has(escaped));
  const [marked, linked] = [markedIn, linksIn].map(
    (find) => new Set(textsOf(profile).flatMap(({ text }) => find(text))),
  ) as [Set<string>, Set<string>];
  for (const { text } of textsOf(profile)) if (/^https?:/.test(text)) linked.add(bareOf(text));
  return [
    compared('headings', headings, (heading) => printed.includes(heading)),
    ordered('order of sections', headings, printed),
    ordered('order of jobs', draft.isInOrder ? jobsOf(draft) : [], namesOfJobs(profile)),
    toFaith('dates', kept.filter(isDate), ({ isPartial }) => !isPartial),
    toFaith('emphasis', written.flatMap(each(markedIn)), ({ found }) => marked.has(found)),
    toFaith('links in texts', written.flatMap(each(linksIn)), ({ found }) => linked.has(found)),
  ].filter(({ values }) => values > 0);
}

function toFaith<Item extends { readonly where: string; readonly text: string }>(
  of: Faithfulness['of'],
  items: readonly Item[],
  isKept: (item: Item) => boolean,
): Faithfulness {
  const lost = items.filter((item) => !isKept(item));
  const places = lost.map(({ where, text }) => (where === '' ? text : `${where} “${shortened(text)}”`));
  return { of, values: items.length, kept: items.length - lost.length, places };
}

const compared = (of: Faithfulness['of'], texts: readonly string[], isKept: (text: string) => boolean) =>
  toFaith(
    of,
    texts.map((text) => ({ where: '', text })),
    ({ text }) => isKept(text),
  );

/** Which names stand at the same place among those that both lists have. */
function ordered(of: Faithfulness['of'], source: readonly string[], printed: readonly string[]): Faithfulness {
  const [wanted, found] = [
    source.filter((name) => printed.includes(name)),
    printed.filter((name) => source.includes(name)),
  ];
  const isInPlace = wanted.map((name, index) => found[index] === name);
  const lost = wanted.filter((_, index) => !isInPlace[index]);
  return { of, values: wanted.length, kept: wanted.length - lost.length, places: lost };
}

/** The jobs of a source and of a profile in their order, by their titles or, without one, companies. */
const jobsOf = ({ positions = [] }: Draft) =>
  positions.flatMap(({ title, company, start }) => (start && toHeading(title ?? company)?.text) ?? []);
const namesOfJobs = ({ experience }: Profile) =>
  experience.flatMap(({ company, roles }) =>
    roles.length > 0 ? roles.map(({ title }) => title || company) : [company],
  );

/** Whether a leaf was read as a date, which its changes say, or is one as it stands. */
const isDate = ({ text, changes }: Leaf): boolean =>
  changes!.size === 0
    ? /^\d{4}(-\d\d){0,2}$/.test(text)
    : [...changes!].some((change) => /^(written as|only) \d{4}/.test(change));

const each =
  (find: (text: string) => string[]) =>
  ({ where, text }: Leaf) =>
    find(text).map((found) => ({ where, text, found }));

// The length of marked text is bounded, so that a text full of lone marks takes linear time.
const marks = [
  /(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\1(?!\*)/g,
  /<(b|strong|i|em|code)>([^<>]{1,300})<\/\1>/gi,
  /(?<![\\`])(`)([^`\n]{1,300})`(?!`)/g,
];

/** The words that a text emphasises, in Markdown or HTML. */
const markedIn = (text: string): string[] =>
  marks.flatMap((mark) =>
    [...text.matchAll(mark)].map(([, , words]) => decoded(words!.replace(/[[\]\\]|\(\S*\)/g, '')).trim()),
  );

/** A text with the characters that its HTML entities stand for. */
const decoded = (text: string): string => withoutHtml(literal(text))?.text ?? '';

const bareOf = (url: string) => url.replace(/^https?:\/\/(www\.)?|\/$/g, '').toLowerCase();

/** The addresses to which words of a text lead, in Markdown or HTML. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(\s?<?((?:https?:|mailto:)[^\s()<>]+)|\bhref=["']?(https?:[^"'\s>]+)/g)].map(([, one, other]) =>
    bareOf(one ?? other!),
  );
