import type { Draft, DraftEntry, Format, Position } from '../draft/draft.ts';
import { fieldsIn, type InputCursor } from '../source/input-cursor.ts';
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
  toDraft(source) {
    const input = source.rewriting(asWritten);
    const [profile = input.at('Profile.csv')] = input.items('Profile.csv');
    input.at('Profile Summary.csv').explain('The profile has one summary');
    const [summary] = input.items('Profile Summary.csv').map((row) => row.text('Profile Summary'));
    return {
      ...fieldsIn(profile, { title: 'Headline', location: 'Geo Location' }),
      name: nameIn(profile),
      summary: profile.text('Summary') ?? summary,
      domains: profile.texts('Industry'),
      positions: input.items('Positions.csv').map(toPosition),
      positionsTitle: 'Positions',
      skills: input.items('Skills.csv').flatMap((row) => row.text('Name') ?? []),
      email: toEmail(input.items('Email Addresses.csv')),
      phone: toPhone(input.items('PhoneNumbers.csv')),
      links: [
        ...toLinks(profile.text('Websites')),
        ...listIn(profile.text('Twitter Handles'), /,/).map((handle) => {
          return { label: literal('X'), url: profileUrlOf(literal('x'), handle) };
        }),
      ],
      languages: input.items('Languages.csv').map((row) => ({
        language: row.text('Name'),
        fluency: inWords(row.text('Proficiency')),
      })),
      projects: input.items('Projects.csv').map((row) => ({
        ...fieldsIn(row, { name: 'Title', ...period }),
        urls: row.texts('Url'),
        ...toTexts(row),
      })),
      education: input.items('Education.csv').map((row) => ({
        ...fieldsIn(row, { institution: 'School Name', degree: 'Degree Name', ...period }),
        details: [...[row.text('Notes'), row.text('Activities')].flatMap(linesIn), ...restOf(row)],
      })),
      certifications: input.items('Certifications.csv').map((row) => ({
        ...fieldsIn(row, { name: 'Name', issuer: 'Authority', date: `${period.start}|Issue Date`, url: 'Url' }),
        ...{ end: row.text(...period.end.split('|')), summary: withRest(row) },
      })),
      publications: input.items('Publications.csv').map((row) => ({
        ...fieldsIn(row, { name: 'Name', publisher: 'Publisher', date: 'Published On', url: 'Url' }),
        summary: withRest(row, row.text('Description')),
      })),
      awards: input.items('Honors.csv').map((row) => ({
        ...fieldsIn(row, { title: 'Title', awarder: 'Issuer', date: 'Issued On|Issue Date' }),
        summary: withRest(row, row.text('Description')),
      })),
      volunteer: input.items('Volunteering.csv').map((row) => {
        const cause = inWords(row.text('Cause'));
        const known = fieldsIn(row, { organization: 'Company Name', role: 'Role', ...period });
        const { summary, highlights } = toTexts(row);
        return { ...known, summary: toSentences([cause, summary], 'cause and description joined'), highlights };
      }),
      interests: input
        .items('Causes You Care About.csv')
        .map((row) => ({ name: inWords(row.text('Supported Cause')) })),
      references: input.items('Recommendations_Received.csv').flatMap(toReference),
      sections: furtherFiles.map((file) => ({
        title: literal(toTitle(file.replace('.csv', ''))),
        entries: input.items(file).map(toEntry),
      })),
    } satisfies Draft;
  },
};

const furtherFiles = ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'];

/** The columns of the start and the end of a row, which had other names until 2018. */
const period = { start: 'Started On|Start Date', end: 'Finished On|End Date' };

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The columns with texts of several lines, which LinkedIn shows as they are written. */
const prose = /^(Activities|Description|Notes|Profile Summary|Summary|Text)$/;

/** Decodes the few HTML entities that LinkedIn writes, and escapes what would be read as marks. */
function asWritten(cell: Value, column: string): Value | undefined {
  const text = cell.text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
  const decoded = text === cell.text ? cell : changed(cell, 'HTML entities decoded', text);
  return prose.test(column) ? withoutMeaning(decoded) : decoded;
}

/** The cells of a row in columns that were not read so far. A cell beyond the header is named by its number. */
const restOf = (row: InputCursor): Value[] =>
  leftoversIn(row)
    .filter(({ title }) => !/^Column \d+$/.test(title))
    .map(toLabelled);

const withRest = (row: InputCursor, text?: Value): Value | undefined =>
  joined([text, ...restOf(row)], ', ', 'joined with the other columns of the row');

const linesIn = (text: Value | undefined): Value[] => toItems(text).map(({ item }) => item);

/** The summary of a row and its highlights, among them the cells that were not read so far. */
function toTexts(row: InputCursor) {
  const { summary, highlights } = toSummaryAndHighlights(row.text('Description'));
  return { summary, highlights: [...highlights, ...restOf(row)] };
}

/** Splits a description: the text before its bullets, or a single line, is the summary; other lines are highlights. */
function toPosition(row: InputCursor): Position {
  const items = toItems(row.text('Description'));
  const bullet = items.findIndex(({ isBullet }) => isBullet);
  const lead = bullet === -1 && items.length === 1 ? 1 : Math.max(bullet, 0);
  const texts = items.map(({ item }) => item);
  const summary = joined(texts.slice(0, lead), '\n', 'lines joined');
  return {
    ...fieldsIn(row, { company: 'Company Name', title: 'Title', location: 'Location', ...period }),
    summary:
      summary && lead < items.length ? changed(summary, 'the text before the bullets used as the summary') : summary,
    highlights: [...texts.slice(lead), ...restOf(row)],
  };
}

/** Recommendations by other people, unless the person hides them. */
function toReference(row: InputCursor) {
  const status = row.text('Status');
  const isHidden = status && status.text !== 'VISIBLE';
  if (isHidden) row.explain('It is not shown on LinkedIn either');
  for (const column of ['Creation Date', 'Status']) row.at(column).exclude('It is about the account');
  if (isHidden) return [];
  const person = [nameIn(row), row.text('Job Title'), row.text('Company')];
  return { name: joined(person, ', ', 'joined with job title and company'), reference: row.text('Text') };
}

function toEntry(row: InputCursor): DraftEntry {
  const [position, name] = [row.text('Position'), row.text('Name', 'Title')];
  return {
    ...(position ? { name: position, organization: name } : { name }),
    ...fieldsIn(row, { details: 'Number|Score', date: 'Issued On|Issue Date|Date|Filed On', ...period }),
    ...fieldsIn(row, { url: 'Url', summary: 'Description' }),
    highlights: restOf(row),
  };
}

const nameIn = (row: InputCursor) =>
  joined([row.text('First Name'), row.text('Last Name')], ' ', 'first and last name joined');

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

/** Splits a list in brackets, such as `[ada,lovelace]`. */
const listIn = (value: Value | undefined, separator: RegExp): Value[] =>
  (value?.text ?? '')
    .replace(/[[\]]/g, '')
    .split(separator)
    .flatMap((text) => (text.trim() === '' ? [] : { ...value!, text: text.trim() }));

/** Writes a name such as `LIMITED_WORKING` as words. */
const toWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

const inWords = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written as words', toWords(value.text)) : value;
