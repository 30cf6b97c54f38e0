import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, joined, literal, type Value } from '../source/value.ts';
import { profileUrlOf } from './contact.ts';
import type { Draft, DraftEntry, Format, Position } from './draft.ts';
import { leftoversIn, toLabelled, toTitle } from './leftovers.ts';
import { toItems, toSummaryAndHighlights } from './rich-text.ts';

/** The archive of CSV files that LinkedIn members can download, packed or not; archive.ts lists the files that are read. */
export const linkedIn: Format = {
  name: 'LinkedIn data export',
  description: 'its ZIP archive or unpacked folder, with Profile.csv, Positions.csv and the like',
  recognises: (input) =>
    input.keys.some((key) => key.endsWith('.csv') && input.items(key).some(({ kind }) => kind === 'object')),
  toDraft(input) {
    const rows = (file: string) => input.items(file).map(toRow);
    const profile = toRow(input.items('Profile.csv')[0] ?? input.at('Profile.csv'));
    input.at('Profile Summary.csv').explain('The profile has one summary');
    return {
      name: joined([profile('First Name'), profile('Last Name')], ' ', 'first and last name joined'),
      title: profile('Headline'),
      location: profile('Geo Location'),
      summary: profile('Summary') ?? rows('Profile Summary.csv')[0]?.('Profile Summary'),
      domains: [profile('Industry') ?? []].flat(),
      positions: input.items('Positions.csv').map(toPosition),
      positionsTitle: 'Positions',
      skills: rows('Skills.csv').flatMap((skill) => skill('Name') ?? []),
      email: toEmail(input.items('Email Addresses.csv')),
      phone: toPhone(input.items('PhoneNumbers.csv')),
      links: [...toLinks(profile('Websites')), ...toHandles(profile('Twitter Handles'))],
      languages: rows('Languages.csv').map((language) => ({
        language: language('Name'),
        fluency: inWords(language('Proficiency')),
      })),
      ...toSections(input),
    } satisfies Draft;
  },
};

/** The text of a description before its bullets becomes the summary, as a single line does; the bullets, or lines without any, become accomplishments. */
function toPosition(cursor: InputCursor): Position {
  const row = toRow(cursor);
  const items = toItems(row('Description'));
  const bullet = items.findIndex(({ isBullet }) => isBullet);
  const lead = bullet === -1 && items.length === 1 ? 1 : Math.max(bullet, 0);
  const texts = items.map(({ item }) => item);
  const summary = joined(texts.slice(0, lead), '\n', 'lines joined');
  const position = {
    company: row('Company Name'),
    title: row('Title'),
    start: row('Started On'),
    end: row('Finished On'),
    location: row('Location'),
    summary:
      summary && lead < items.length ? changed(summary, 'the text before the bullets used as the summary') : summary,
  };
  return { ...position, accomplishments: [...texts.slice(lead), ...restOf(cursor)] };
}

/** The primary e-mail address, otherwise a confirmed one, otherwise the first. */
function toEmail(emails: readonly InputCursor[]) {
  const isYes = (column: string) => (row: InputCursor) => /^yes$/i.test(row.text(column)?.text ?? '');
  for (const row of emails) {
    row.at('Email Address').explain('The profile has only the primary e-mail address');
    for (const column of ['Confirmed', 'Primary', 'Updated On']) row.at(column).exclude('It is about the account');
  }
  return (emails.find(isYes('Primary')) ?? emails.find(isYes('Confirmed')) ?? emails[0])?.text('Email Address');
}

function toPhone(phones: readonly InputCursor[]) {
  for (const row of phones) {
    row.explain('The profile has only one phone number');
    row.at('Type').exclude('It says what kind of number it is');
  }
  return phones.find((row) => row.text('Number'))?.text('Number');
}

/** The files that become sections under their own names. */
const furtherFiles = ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'];

/** Reads the files about everything but the positions and the person. A column that is unknown is kept with its name. */
function toSections(input: InputCursor) {
  const rowsOf = <Item>(file: string, read: (cursor: InputCursor) => Item) => input.items(file).map(read);
  return {
    projects: rowsOf('Projects.csv', toProject),
    education: rowsOf('Education.csv', toSchool),
    certifications: rowsOf('Certifications.csv', (cursor) => {
      const row = toRow(cursor);
      const certification = {
        name: row('Name'),
        issuer: row('Authority'),
        date: row('Started On'),
        url: row('Url'),
      };
      return { ...certification, summary: withRest(cursor) };
    }),
    publications: rowsOf('Publications.csv', (cursor) => {
      const row = toRow(cursor);
      const publication = {
        name: row('Name'),
        publisher: row('Publisher'),
        date: row('Published On'),
        url: row('Url'),
      };
      return { ...publication, summary: withRest(cursor, row('Description')) };
    }),
    awards: rowsOf('Honors.csv', (cursor) => {
      const row = toRow(cursor);
      const award = { title: row('Title'), awarder: row('Issuer'), date: row('Issued On') };
      return { ...award, summary: withRest(cursor, row('Description')) };
    }),
    volunteer: rowsOf('Volunteering.csv', toVolunteering),
    interests: rowsOf('Causes You Care About.csv', (row) => ({ name: inWords(row.text('Supported Cause')) })),
    references: input.items('Recommendations_Received.csv').flatMap(toReference),
    sections: furtherFiles.map((file) => ({
      title: literal(toTitle(file.replace('.csv', ''))),
      entries: rowsOf(file, toEntry),
    })),
  } satisfies Draft;
}

function toProject(cursor: InputCursor) {
  const row = toRow(cursor);
  const { summary, highlights } = toSummaryAndHighlights(row('Description'));
  const project = {
    name: row('Title'),
    summary,
    urls: [row('Url') ?? []].flat(),
    start: row('Started On'),
    end: row('Finished On'),
  };
  return { ...project, highlights: [...highlights, ...restOf(cursor)] };
}

function toSchool(cursor: InputCursor) {
  const row = toRow(cursor);
  const school = {
    institution: row('School Name'),
    degree: row('Degree Name'),
    start: row('Start Date'),
    end: row('End Date'),
    details: linesOf(row('Notes'), row('Activities')),
  };
  return { ...school, details: [...school.details, ...restOf(cursor)] };
}

function toVolunteering(cursor: InputCursor) {
  const row = toRow(cursor);
  const { summary, highlights } = toSummaryAndHighlights(row('Description'));
  const work = {
    organization: row('Company Name'),
    role: row('Role'),
    start: row('Started On'),
    end: row('Finished On'),
    summary: toSentences([inWords(row('Cause')) ?? [], summary ?? []].flat(), 'cause and description joined'),
  };
  return { ...work, highlights: [...highlights, ...restOf(cursor)] };
}

/** What somebody wrote about the person, unless the person hides it. */
function toReference(cursor: InputCursor) {
  const [row, status] = [toRow(cursor), cursor.text('Status')];
  if (status && status.text !== 'VISIBLE') return cursor.exclude('It is not shown on LinkedIn either') ?? [];
  for (const column of ['Creation Date', 'Status']) cursor.at(column).exclude('It is about the account');
  const name = joined([row('First Name'), row('Last Name')], ' ', 'first and last name joined');
  return {
    name: joined([name, row('Job Title'), row('Company')], ', ', 'joined with job title and company'),
    reference: row('Text'),
  };
}

function toEntry(cursor: InputCursor): DraftEntry {
  const row = toRow(cursor);
  const [position, name] = [row('Position'), row('Name', 'Title')];
  const entry = {
    ...(position ? { name: position, organization: name } : { name }),
    details: row('Number', 'Score'),
    date: row('Issued On', 'Date', 'Filed On'),
    start: row('Started On'),
    end: row('Finished On'),
    url: row('Url'),
    summary: row('Description'),
  };
  return { ...entry, highlights: restOf(cursor) };
}

const linesOf = (...values: (Value | undefined)[]) => values.flatMap(toItems).map(({ item }) => item);

// Addresses may contain commas.
const commaBeforeSite = /,(?=\s*(?:[A-Z][A-Z_]*:|https?:|[\w-]+\.\w))/;

/** The links in a list such as `[PERSONAL:https://ada.example,OTHER:https://github.com/ada]`, in which the kinds are optional. */
const toLinks = (value: Value | undefined) =>
  listIn(value, commaBeforeSite).map((site) => {
    const [, kind = 'OTHER', url = ''] = /^(?:([A-Z][A-Z_]*):)?(.*)$/s.exec(site.text)!;
    return {
      label: kind === 'OTHER' ? undefined : { ...site, text: toWords(kind) },
      url: changed(site, `used as the link ${url}`, url),
    };
  });

/** The links to the accounts in a list such as `[ada,lovelace]`. */
const toHandles = (value: Value | undefined) =>
  listIn(value, /,/).map((handle) => ({ label: literal('X'), url: profileUrlOf(literal('x'), handle) }));

/** Splits a list in brackets. */
const listIn = (value: Value | undefined, separator: RegExp): Value[] =>
  (value?.text ?? '')
    .replace(/[[\]]/g, '')
    .split(separator)
    .flatMap((text) => (text.trim() === '' ? [] : { ...value!, text: text.trim() }));

/** Reads the cell of a row in the first of some columns in which there is one. */
type Row = (...columns: string[]) => Value | undefined;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Reads the cells of a row by column, and decodes the few HTML entities that LinkedIn writes. */
const toRow =
  (row: InputCursor): Row =>
  (...columns) =>
    decoded(row.text(...columns));

function decoded(cell: Value | undefined): Value | undefined {
  const text = cell?.text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
  return cell && text !== cell.text ? changed(cell, 'HTML entities decoded', text) : cell;
}

/** The cells of a row in columns that were not read so far, each after the name of its column. */
const restOf = (row: InputCursor): Value[] =>
  leftoversIn(row)
    // A cell beyond the header has the number of its column for a name.
    .filter(({ title }) => !/^Column \d+$/.test(title))
    .flatMap((each) => decoded(toLabelled(each)) ?? []);

/** The texts with those of other columns, as one. */
const withRest = (row: InputCursor, text?: Value): Value | undefined =>
  joined([text, ...restOf(row)], ', ', 'joined with the other columns of the row');

/** Writes a name such as `LIMITED_WORKING` as words. */
const toWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** Writes a value such as `LIMITED_WORKING` as words. */
const inWords = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written as words', toWords(value.text)) : value;
