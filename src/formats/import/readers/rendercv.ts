import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, joined, omit, type Value } from '../source/value.ts';
import { toDateRange } from './date-range.ts';
import type { Draft, DraftProject, Format, Position } from './draft.ts';
import { linksIn, toPlain, withoutMarkdown } from './markdown.ts';
import { profileUrlOf } from './networks.ts';
import { type Topic, topicOf } from './topics.ts';

/** RenderCV 2, and version 1 as far as it has the same fields. */
export const renderCv: Format = {
  name: 'RenderCV',
  description: 'an object with cv',
  recognises: (input) => input.at('cv').kind === 'object',
  toDraft(input) {
    const cv = input.at('cv');
    for (const key of ['design', 'locale', 'settings', 'rendercv_settings']) input.at(key).explain(layout);
    cv.at('photo').explain('The profile has no picture');
    const entries = toEntries(cv.at('sections'));
    const of = (topic: Topic) => entries.flatMap((each) => (each.topic === topic ? each.entry : []));
    const skills = of('skills').flatMap(toSkills);
    return {
      name: toPlain(cv.text('name')),
      title: toPlain(cv.text('headline', 'label')),
      location: toPlain(cv.text('location')),
      summary: toSentences(
        of('summary').flatMap((entry) => toPlain(headOf(entry)) ?? []),
        'joined with the rest of its section into the summary',
      ),
      domains: skills.flatMap(({ domain }) => domain ?? []),
      positions: of('experience').map(toPosition),
      projects: of('projects').map(toProject),
      skills: skills.flatMap(({ skill }) => skill ?? []),
      email: firstOf(cv.texts('email'), 'The profile has only one e-mail address'),
      phone: toPhone(firstOf(cv.texts('phone'), 'The profile has only one phone number')),
      links: toLinks(cv),
      education: of('education').map(toEducation),
      certifications: of('certifications').map(toCertification),
      languages: of('languages').flatMap(toLanguages),
      publications: of('publications').map(toPublication),
    } satisfies Draft;
  },
};

const layout = 'It is about the layout of the page, not about you';
const noSection = 'The profile has no section for it';
const otherKind = 'The section of the profile has entries of another kind';

/** The entries of all sections, each with the topic that follows from its fields, otherwise from the title of its section. */
function toEntries(sections: InputCursor): { topic: Topic | undefined; entry: InputCursor }[] {
  return sections.keys.flatMap((title) =>
    sections.items(title).map((entry) => {
      const titled = topicOf(title);
      const topic = topicOfEntry(entry, titled);
      if (topic === undefined) entry.explain(titled && titled !== 'volunteering' ? otherKind : noSection);
      return { topic, entry };
    }),
  );
}

function topicOfEntry({ keys }: InputCursor, titled: Topic | undefined): Topic | undefined {
  const has = (...fields: string[]) => fields.some((field) => keys.includes(field));
  if (titled === 'volunteering') return undefined;
  if (has('institution')) return 'education';
  if (has('company', 'position')) return 'experience';
  if (has('title', 'authors', 'journal', 'doi')) return 'publications';
  const isLine = !has('name', 'label');
  if (titled === 'summary') return isLine ? titled : undefined;
  // A single line of text is not enough for a position or a degree.
  return isLine && (titled === 'experience' || titled === 'education') ? undefined : titled;
}

const toLinks = (cv: InputCursor) => [
  ...cv.texts('website').map((url) => ({ url })),
  ...cv.items('social_networks').map((account) => {
    account.explain('It has no link, and none can be derived from network and user name');
    const label = account.text('network');
    return { label, url: profileUrlOf(label, account.text('username')) };
  }),
  ...cv.items('custom_connections').map((connection) => {
    connection.at('fontawesome_icon').explain(layout);
    return { label: toPlain(connection.text('placeholder')), url: connection.text('url') };
  }),
];

function firstOf([first, ...others]: readonly Value[], why: string): Value | undefined {
  for (const other of others) omit(other, why);
  return first;
}

const toPhone = (phone: Value | undefined) =>
  phone?.text.startsWith('tel:') ? changed(phone, 'tel: removed', phone.text.slice(4)) : phone;

/** The name or title of an entry of any type; for an entry that is a line of text, that line. */
const headOf = (entry: InputCursor): Value | undefined =>
  entry.text('name', 'label', 'title', 'bullet', 'number', 'reversed_number') ?? entry.text();

function toPosition(entry: InputCursor): Position {
  entry.at('location').explain('A company has no location or link in the profile');
  return {
    company: toPlain(entry.text('company', 'name')),
    title: toPlain(entry.text('position')),
    ...toPeriod(entry),
    summary: toPlain(entry.text('summary')),
    accomplishments: toHighlights(entry),
  };
}

function toProject(entry: InputCursor): DraftProject {
  for (const key of ['start_date', 'end_date', 'date', 'location'])
    entry.at(key).explain('A project has no dates or location in the profile');
  const texts = [entry.text('details', 'summary') ?? [], entry.texts('highlights').map(toFlat)].flat();
  return {
    name: withoutMarkdown(headOf(entry)),
    summary: toSentences(
      texts.flatMap((text) => withoutMarkdown(text) ?? []),
      'joined into the summary of the project',
    ),
    urls: [headOf(entry), ...texts].flatMap(linksIn),
  };
}

function toEducation(entry: InputCursor) {
  entry.at('location').explain('A school has no location in the profile');
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

const toCertification = (entry: InputCursor) => ({
  name: joined([headOf(entry), entry.text('details')].map(withoutMarkdown), ', ', 'joined with the rest of its line'),
  date: entry.text('date', 'end_date', 'start_date'),
  url: linksIn(headOf(entry))[0],
});

function toPublication(entry: InputCursor) {
  const [title, doi] = [headOf(entry), entry.text('doi')];
  const address = `https://doi.org/${doi?.text}`;
  const given = doi ? changed(doi, `written as the address ${address}`, address) : entry.text('url');
  if (doi) entry.at('url').explain('The link is made from the DOI');
  const authors = joined(entry.texts('authors').map(toPlain), ', ', 'joined into the line of authors');
  return {
    name: given ? toPlain(title) : withoutMarkdown(title),
    publisher: toPlain(entry.text('journal')),
    date: entry.text('date', 'end_date', 'start_date'),
    url: given ?? linksIn(title)[0],
    summary: toSentences([authors ?? [], toPlain(entry.text('summary')) ?? []].flat(), 'joined with the authors'),
  };
}

/** The languages of an entry: one with its fluency in a separate field or on the same line, or several on one line. */
function toLanguages(entry: InputCursor): { language: Value | undefined; fluency: Value | undefined }[] {
  const [head, details] = [headOf(entry), entry.text('details', 'summary')].map(toPlain);
  if (details && !/languages?|spoken/i.test(head?.text ?? '')) return [{ language: head, fluency: details }];
  if (details) omitGroup(head);
  return splitList(details ?? head).map((each) => {
    const parts = /^([^(:–—]+)(?:\((.+)\)|[:–—](.+))$/.exec(each.text);
    if (!parts) return { language: each, fluency: undefined };
    const [language, fluency] = [parts[1]!, parts[2] ?? parts[3]!].map((part) =>
      changed(each, 'split into language and fluency', part.trim()),
    );
    return { language, fluency };
  });
}

/** The skills of an entry. Those in a group named after areas, domains or industries become domains. */
function toSkills(entry: InputCursor): { skill?: Value; domain?: Value }[] {
  const [head, details] = [headOf(entry), entry.text('details')].map(toPlain);
  if (!details) return splitList(head).map((skill) => ({ skill }));
  omitGroup(head);
  const isDomain = /\b(areas?|domains?|industr(y|ies))\b/i.test(head?.text ?? '');
  if (!isDomain) return splitList(details).map((skill) => ({ skill }));
  return splitList(changed(details, 'used as domains')).map((domain) => ({ domain }));
}

const omitGroup = (head: Value | undefined) =>
  head && omit(head, 'The profile lists skills and languages without groups');

/** Splits a list in one text, such as `Go, Python (NumPy, Pandas)`, except within parentheses. */
function splitList(value: Value | undefined): Value[] {
  const parts = value?.text.match(/(?:\([^()]*\)|[^,;|•·])+/g) ?? [];
  const texts = parts.map((part) => part.replace(/^\s+(and\s)?/i, '').trim()).filter((part) => part !== '');
  if (!value || texts.length < 2) return value ? [value] : [];
  return texts.map((text) => changed(value, 'split at its commas', text));
}

/** The start and end of an entry. RenderCV uses `date` for both; an end date without a start is read the same way. */
function toPeriod(entry: InputCursor) {
  const [start, end, date] = [entry.text('start_date'), entry.text('end_date'), entry.text('date')];
  if (!start) return toDateRange(date ?? end);
  if (date) omit(date, 'The start date is used instead');
  return { start, end };
}

const toHighlights = (entry: InputCursor): Value[] =>
  entry.texts('highlights').flatMap((highlight) => toPlain(toFlat(highlight)) ?? []);

/** Puts a highlight on one line. RenderCV reads text after ` - ` as a nested list. */
function toFlat(highlight: Value): Value {
  const parts = highlight.text.split(/(?<!\d)\s-\s|\s-\s(?!\s*\d)/).map((part) => part.trim());
  const [lead = '', ...nested] = parts.filter((part) => part !== '');
  if (nested.length === 0) return highlight;
  const text = `${lead}${/\p{P}$/u.test(lead) ? '' : ':'} ${nested.join('; ')}`;
  return changed(highlight, 'nested list put on one line', text);
}
