import type { Draft, DraftEntry, DraftProject, Format, Position } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { changed, joined, literal, type Value } from '../source/value.ts';
import { profileUrlOf } from './contact.ts';
import { leftoversIn, toLabelled, toTitle } from './leftovers.ts';
import { toItems, toSummaryAndHighlights, withoutMeaning } from './rich-text.ts';

/** The archive of CSV files that LinkedIn members can download, packed or not; archive.ts lists the files it reads. */
export const linkedIn: Format = {
  name: 'LinkedIn data export',
  description: 'its ZIP archive or unpacked folder, with Profile.csv, Positions.csv and the like',
  recognises: (input) =>
    input.keys.some((key) => key.endsWith('.csv') && input.items(key).some(({ kind }) => kind === 'object')),
  // An unknown column is kept with its name, as the last field, by the reader of the rest of a row.
  toDraft(input) {
    const rowsOf = <Item>(file: string, read: (row: Row, cursor: InputCursor) => Item) =>
      input.items(file).map((cursor) => read(toRow(cursor), cursor));
    const profile = toRow(input.items('Profile.csv')[0] ?? input.at('Profile.csv'));
    input.at('Profile Summary.csv').explain('The profile has one summary');
    return {
      name: nameIn(profile),
      title: profile('Headline'),
      location: profile('Geo Location'),
      summary: profile('Summary') ?? rowsOf('Profile Summary.csv', (row) => row('Profile Summary'))[0],
      domains: [profile('Industry') ?? []].flat(),
      positions: rowsOf('Positions.csv', toPosition),
      positionsTitle: 'Positions',
      skills: rowsOf('Skills.csv', (row) => row('Name') ?? []).flat(),
      email: toEmail(input.items('Email Addresses.csv')),
      phone: toPhone(input.items('PhoneNumbers.csv')),
      links: [...toLinks(profile('Websites')), ...toHandles(profile('Twitter Handles'))],
      languages: rowsOf('Languages.csv', (row) => ({ language: row('Name'), fluency: inWords(row('Proficiency')) })),
      projects: rowsOf('Projects.csv', toProject),
      education: rowsOf('Education.csv', (row, cursor) => ({
        institution: row('School Name'),
        degree: row('Degree Name'),
        ...toPeriod(row),
        details: [...[row('Notes'), row('Activities')].flatMap(toItems).map(({ item }) => item), ...restOf(cursor)],
      })),
      certifications: rowsOf('Certifications.csv', toCertification),
      publications: rowsOf('Publications.csv', (row, cursor) => ({
        name: row('Name'),
        publisher: row('Publisher'),
        date: row('Published On'),
        url: row('Url'),
        summary: withRest(cursor, row('Description')),
      })),
      awards: rowsOf('Honors.csv', (row, cursor) => ({
        title: row('Title'),
        awarder: row('Issuer'),
        date: row('Issued On', 'Issue Date'),
        summary: withRest(cursor, row('Description')),
      })),
      volunteer: rowsOf('Volunteering.csv', toVolunteering),
      interests: rowsOf('Causes You Care About.csv', (_, row) => ({ name: inWords(row.text('Supported Cause')) })),
      references: rowsOf('Recommendations_Received.csv', toReference).flat(),
      sections: furtherFiles.map((file) => ({
        title: literal(toTitle(file.replace('.csv', ''))),
        entries: rowsOf(file, toEntry),
      })),
    } satisfies Draft;
  },
};

/** The files that become sections under their own names. */
const furtherFiles = ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'];

/** Reads the cell of a row in the first of some columns in which there is one. */
type Row = (...columns: string[]) => Value | undefined;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The columns with texts of several lines, which LinkedIn shows as they are written. */
const prose = /^(Activities|Description|Notes|Profile Summary|Summary|Text)$/;

/** Reads the cells of a row by column, and decodes the few HTML entities that LinkedIn writes. */
const toRow =
  (row: InputCursor): Row =>
  (...columns) => {
    const cell = decoded(row.text(...columns));
    return columns.some((column) => prose.test(column)) ? withoutMeaning(cell) : cell;
  };

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

/** The text with those of columns that were not read so far, as one. */
const withRest = (row: InputCursor, text?: Value): Value | undefined =>
  joined([text, ...restOf(row)], ', ', 'joined with the other columns of the row');

const endColumns = ['Finished On', 'End Date'];

/** The start and end of a row, whose columns had other names until 2018. */
const toPeriod = (row: Row) => ({
  start: row('Started On', 'Start Date'),
  end: row(...endColumns),
});

function toCertification(row: Row, cursor: InputCursor) {
  for (const column of endColumns) cursor.at(column).explain('A certification has no field for its end');
  return {
    name: row('Name'),
    issuer: row('Authority'),
    date: row('Started On', 'Start Date', 'Issue Date'),
    url: row('Url'),
    summary: withRest(cursor),
  };
}

/** Splits a description: the text before its bullets, or a single line, is the summary; other lines are highlights. */
function toPosition(row: Row, cursor: InputCursor): Position {
  const items = toItems(row('Description'));
  const bullet = items.findIndex(({ isBullet }) => isBullet);
  const lead = bullet === -1 && items.length === 1 ? 1 : Math.max(bullet, 0);
  const texts = items.map(({ item }) => item);
  const summary = joined(texts.slice(0, lead), '\n', 'lines joined');
  return {
    company: row('Company Name'),
    title: row('Title'),
    ...toPeriod(row),
    location: row('Location'),
    summary:
      summary && lead < items.length ? changed(summary, 'the text before the bullets used as the summary') : summary,
    highlights: [...texts.slice(lead), ...restOf(cursor)],
  };
}

function toProject(row: Row, cursor: InputCursor): DraftProject {
  const { summary, highlights } = toSummaryAndHighlights(row('Description'));
  return {
    name: row('Title'),
    summary,
    urls: [row('Url') ?? []].flat(),
    ...toPeriod(row),
    highlights: [...highlights, ...restOf(cursor)],
  };
}

function toVolunteering(row: Row, cursor: InputCursor) {
  const { summary, highlights } = toSummaryAndHighlights(row('Description'));
  return {
    organization: row('Company Name'),
    role: row('Role'),
    ...toPeriod(row),
    summary: toSentences([inWords(row('Cause')), summary], 'cause and description joined'),
    highlights: [...highlights, ...restOf(cursor)],
  };
}

/** Recommendations by other people, unless the person hides them. */
function toReference(row: Row, cursor: InputCursor) {
  const status = cursor.text('Status');
  const isHidden = status && status.text !== 'VISIBLE';
  if (isHidden) cursor.explain('It is not shown on LinkedIn either');
  for (const column of ['Creation Date', 'Status']) cursor.at(column).exclude('It is about the account');
  if (isHidden) return [];
  return {
    name: joined([nameIn(row), row('Job Title'), row('Company')], ', ', 'joined with job title and company'),
    reference: row('Text'),
  };
}

function toEntry(row: Row, cursor: InputCursor): DraftEntry {
  const [position, name] = [row('Position'), row('Name', 'Title')];
  return {
    ...(position ? { name: position, organization: name } : { name }),
    details: row('Number', 'Score'),
    date: row('Issued On', 'Issue Date', 'Date', 'Filed On'),
    ...toPeriod(row),
    url: row('Url'),
    summary: row('Description'),
    highlights: restOf(cursor),
  };
}

const nameIn = (row: Row) => joined([row('First Name'), row('Last Name')], ' ', 'first and last name joined');

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

// Addresses may contain commas.
const commaBeforeSite = /,(?=\s*(?:[A-Z][A-Z_]*:|https?:|[\w-]+\.\w))/;

/** The links in a list such as `[PERSONAL:https://ada.example,OTHER:https://github.com/ada]`; kinds are optional. */
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

/** Writes a name such as `LIMITED_WORKING` as words. */
const toWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

const inWords = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written as words', toWords(value.text)) : value;
