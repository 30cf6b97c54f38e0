import type { DraftEntry, DraftProject, Position } from '../draft/draft.ts';
import { toDateRange } from '../source/dates.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { exclude, joined, layoutReason, omit, type Value } from '../source/value.ts';
import { withText } from './contact.ts';
import { restOf } from './leftovers.ts';
import { toDescription, toItems, toProseOf, toSummaryAndHighlights, toText } from './rich-text.ts';

/** The position at a company, or one for each of its roles, which version 5 has. */
export function toPositions(item: InputCursor): Position[] {
  const shared = { company: item.text('company', 'name'), location: item.text('location'), url: addressIn(item) };
  const roles = item.items('roles');
  if (roles.length === 0) return [{ ...shared, ...toRole(item) }];
  const { start: tenureStart, end: tenureEnd } = toPeriod(item);
  const texts = [item.text('position'), toProseOf(item.text('description'))];
  const about = toSentences(texts, 'joined with what is said of all roles');
  return roles.map((role) => {
    role.at('id').exclude(layoutReason);
    return { ...shared, about, tenureStart, tenureEnd, ...toRole(role) };
  });
}

function toRole(role: InputCursor) {
  const { summary, highlights } = toSummaryAndHighlights(toText(role.text('summary', 'description')));
  return {
    title: role.text('position'),
    ...toPeriod(role),
    summary,
    highlights: [...highlights, ...role.texts('highlights'), ...restOf(role)],
  };
}

export function toVolunteering(item: InputCursor) {
  return {
    organization: item.text('organization'),
    role: item.text('position'),
    location: item.text('location'),
    url: addressIn(item),
    ...toPeriod(item),
    ...toTexts(item),
  };
}

export function toProject(item: InputCursor): DraftProject {
  return {
    name: item.text('name', 'title'),
    tags: item.texts('keywords'),
    urls: [addressIn(item) ?? []].flat(),
    ...toPeriod(item),
    ...toTexts(item),
  };
}

export function toEducation(item: InputCursor) {
  return {
    institution: item.text('institution', 'school'),
    area: item.text('area'),
    degree: item.text('studyType', 'degree'),
    location: item.text('location'),
    ...toPeriod(item),
    score: item.text('score', 'grade'),
    url: addressIn(item),
    details: [
      ...toItems(toText(item.text('summary', 'description'))).map(({ item: line }) => line),
      ...item.texts('courses'),
      ...restOf(item),
    ],
  };
}

export const toSkill = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  level: levelOf(item, 'description', 'proficiency', 'level', 'subtitle'),
  category: undefined,
  keywords: item.texts('keywords'),
});

export const toLanguage = (item: InputCursor) => ({
  language: item.text('name', 'language', 'title'),
  fluency: levelOf(item, 'description', 'fluency', 'level', 'subtitle'),
});

export const toInterest = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  keywords: [...item.texts('keywords'), ...restOf(item)],
});

export const toCertification = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  issuer: item.text('issuer'),
  ...toNote(item),
});

export const toAward = (item: InputCursor) => ({
  title: item.text('title', 'name'),
  awarder: item.text('awarder'),
  ...toNote(item),
});

export const toPublication = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  publisher: item.text('publisher'),
  ...toNote(item),
});

/** A person with their relation to the candidate, their contact details, and their words. */
export const toReference = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  reference: joined(
    [
      ...['relationship', 'position', 'description', 'phone', 'email'].map((field) => toProseOf(item.text(field))),
      addressIn(item),
      toProseOf(item.text('summary')),
    ],
    '\n',
    'joined with the rest of the reference',
  ),
});

/** An item of a section that the profile has no key for. */
export function toEntry(item: InputCursor): DraftEntry {
  const isSummarized = item.keys.includes('summary');
  const shortTexts = [item.text('subtitle'), ...(isSummarized ? [toText(item.text('description'))] : [])];
  const { start, end } = toPeriod(item);
  return {
    name: item.text('name', 'title', 'position'),
    organization: item.text('company', 'organization'),
    details: joined([...shortTexts, ...item.texts('keywords')], ', ', 'joined'),
    location: item.text('location'),
    url: addressIn(item),
    ...(start === end ? { date: start } : { start, end }),
    ...toTexts(item, isSummarized ? ['summary'] : ['description', 'content']),
  };
}

const descriptions = ['subtitle', 'description', 'summary'];

/** The date, the address and one text of all further fields, of an item without a period and bullets. */
const toNote = (item: InputCursor) => ({
  date: item.text('date', 'period') ?? toPeriod(item).start,
  url: addressIn(item),
  summary: toSentences(
    [...descriptions.map((field) => toProseOf(item.text(field))), ...restOf(item)],
    'joined with the rest of its item',
  ),
});

/** The summary of an item and its highlights, among them the fields that no version has. */
function toTexts(item: InputCursor, fields = descriptions) {
  const texts = fields.map((field) => toText(item.text(field)));
  const { summary, highlights } = toDescription(texts, 'joined into one summary');
  // No version has highlights, but resumes that programs wrote for it do.
  return { summary, highlights: [...highlights, ...item.texts('highlights'), ...restOf(item)] };
}

/** The first of some fields that says a level in words. A number counts the dots or stars that are shown. */
function levelOf(item: InputCursor, ...fields: string[]): Value | undefined {
  const levels = fields.flatMap((field) => item.text(field) ?? []).filter(({ text }) => text !== '0');
  const { words = [], counts = [] } = Object.groupBy(levels, ({ text }) => (/^\d+$/.test(text) ? 'counts' : 'words'));
  for (const count of counts)
    if (words.length > 0) exclude(count, 'It draws a level that is stated in words');
    else omit(count, 'It counts the dots or stars of a level');
  return words[0];
}

/** The start and end of an item: two dates in version 3, otherwise a text. */
function toPeriod(item: InputCursor) {
  const date = item.at('date');
  if (date.kind === 'object') return { start: date.text('start'), end: date.text('end') };
  return toDateRange(item.text('date', 'period'));
}

/** The address of an item: a text in version 3, otherwise with a text of its own. */
export function addressIn(item: InputCursor): Value | undefined {
  const [url, website] = [item.at('url'), item.at('website')];
  for (const each of [url, website]) each.at('inlineLink').exclude(layoutReason);
  const [address, label] = [
    url.text() ?? website.text() ?? url.text('href') ?? website.text('url'),
    url.text('label') ?? website.text('label'),
  ];
  return address && label ? (withText(address, label) ?? address) : address;
}
