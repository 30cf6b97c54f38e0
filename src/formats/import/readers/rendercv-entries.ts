import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, joined, leave, type Value } from '../source/value.ts';
import { toDateRange } from './date-range.ts';
import type { DraftProject, Position } from './draft.ts';
import { linksIn, toPlain, withoutMarkdown } from './markdown.ts';

/** What an entry of any type is about: its name, or the line it is. */
export const headOf = (entry: InputCursor): Value | undefined =>
  entry.text('name', 'label', 'title', 'bullet', 'number', 'reversed_number') ?? entry.text();

export function toPosition(entry: InputCursor): Position {
  entry.at('location').leave('A company has no place or address in the profile');
  return {
    company: toPlain(entry.text('company', 'name')),
    title: toPlain(entry.text('position')),
    ...toPeriod(entry),
    summary: toPlain(entry.text('summary')),
    accomplishments: toHighlights(entry),
  };
}

export function toProject(entry: InputCursor): DraftProject {
  for (const key of ['start_date', 'end_date', 'date', 'location'])
    entry.at(key).leave('A project has no dates or place in the profile');
  const texts = [entry.text('details', 'summary') ?? [], entry.texts('highlights').map(toFlat)].flat();
  return {
    name: withoutMarkdown(headOf(entry)),
    summary: toSentences(
      texts.flatMap((text) => withoutMarkdown(text) ?? []),
      'made part of the summary of the project',
    ),
    urls: [headOf(entry), ...texts].flatMap(linksIn),
  };
}

export function toEducation(entry: InputCursor) {
  entry.at('location').leave('A school has no place in the profile');
  const institution = entry.text('institution', 'name');
  return {
    institution: withoutMarkdown(institution),
    area: toPlain(entry.text('area')),
    degree: toPlain(entry.text('degree')),
    ...toPeriod(entry),
    url: linksIn(institution)[0],
    details: [toPlain(entry.text('summary')) ?? [], toHighlights(entry)].flat(),
  };
}

export const toCertification = (entry: InputCursor) => ({
  name: joined([headOf(entry), entry.text('details')].map(withoutMarkdown), ', ', 'joined with the rest of its line'),
  date: entry.text('date', 'end_date', 'start_date'),
  url: linksIn(headOf(entry))[0],
});

export function toPublication(entry: InputCursor) {
  const [title, doi] = [headOf(entry), entry.text('doi')];
  const address = `https://doi.org/${doi?.text}`;
  const given = doi ? changed(doi, `written as the address ${address}`, address) : entry.text('url');
  if (doi) entry.at('url').leave('The DOI leads there');
  const authors = joined(entry.texts('authors').map(toPlain), ', ', 'joined into the line of authors');
  return {
    name: given ? toPlain(title) : withoutMarkdown(title),
    publisher: toPlain(entry.text('journal')),
    date: entry.text('date', 'end_date', 'start_date'),
    url: given ?? linksIn(title)[0],
    summary: toSentences([authors ?? [], toPlain(entry.text('summary')) ?? []].flat(), 'joined with the authors'),
  };
}

/** A language with its fluency in a field of its own or on the line, or several on a line. */
export function toLanguages(entry: InputCursor): { language: Value | undefined; fluency: Value | undefined }[] {
  const [head, details] = [headOf(entry), entry.text('details', 'summary')].map(toPlain);
  if (details && !/languages?|spoken/i.test(head?.text ?? '')) return [{ language: head, fluency: details }];
  if (details) leaveGroup(head);
  return toDivided(details ?? head).map((each) => {
    const parts = /^([^(:–—]+)(?:\((.+)\)|[:–—](.+))$/.exec(each.text);
    if (!parts) return { language: each, fluency: undefined };
    const [language, fluency] = [parts[1]!, parts[2] ?? parts[3]!].map((part) =>
      changed(each, 'divided into language and fluency', part.trim()),
    );
    return { language, fluency };
  });
}

/** The skills of an entry; those of a group of areas, domains or industries are domains. */
export function toSkills(entry: InputCursor): { skill?: Value; domain?: Value }[] {
  const [head, details] = [headOf(entry), entry.text('details')].map(toPlain);
  if (!details) return toDivided(head).map((skill) => ({ skill }));
  leaveGroup(head);
  const isDomain = /\b(areas?|domains?|industr(y|ies))\b/i.test(head?.text ?? '');
  if (!isDomain) return toDivided(details).map((skill) => ({ skill }));
  return toDivided(changed(details, 'made domains')).map((domain) => ({ domain }));
}

const leaveGroup = (head: Value | undefined) =>
  head && leave(head, 'The profile lists skills and languages without groups');

/** The parts of a list in one text, such as `Go, Python (NumPy, Pandas)`; what is in parentheses stays together. */
function toDivided(value: Value | undefined): Value[] {
  const parts = value?.text.match(/(?:\([^()]*\)|[^,;|•·])+/g) ?? [];
  const texts = parts.map((part) => part.replace(/^\s+(and\s)?/i, '').trim()).filter((part) => part !== '');
  if (!value || texts.length < 2) return value ? [value] : [];
  return texts.map((text) => changed(value, 'divided at its commas', text));
}

/** The two dates, or `date`, which RenderCV lets stand for both; an end alone is a day as well. */
function toPeriod(entry: InputCursor) {
  const [start, end, date] = [entry.text('start_date'), entry.text('end_date'), entry.text('date')];
  if (!start) return toDateRange(date ?? end);
  if (date) leave(date, 'The start date stands for it');
  return { start, end };
}

const toHighlights = (entry: InputCursor): Value[] =>
  entry.texts('highlights').flatMap((highlight) => toPlain(toFlat(highlight)) ?? []);

/** A highlight on one line: what follows ` - ` in one is a nested list, as RenderCV sets it. */
function toFlat(highlight: Value): Value {
  const parts = highlight.text.split(/(?<!\d)\s-\s|\s-\s(?!\s*\d)/).map((part) => part.trim());
  const [lead = '', ...nested] = parts.filter((part) => part !== '');
  if (nested.length === 0) return highlight;
  const text = `${lead}${/\p{P}$/u.test(lead) ? '' : ':'} ${nested.join('; ')}`;
  return changed(highlight, 'nested list put on its line', text);
}
