import type { InputCursor } from '../../source/input-cursor.ts';
import { toSentences } from '../../source/normalize.ts';
import { joined, literal, type Value } from '../../source/value.ts';
import { toItems, toSummaryAndHighlights } from '../bullets.ts';
import type { Draft, DraftEntry } from '../draft.ts';
import { toTitle } from '../leftovers.ts';
import { inWords, restOf, toRow, withRest } from './row.ts';

/** The files that become sections under their own names. */
const furtherFiles = ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'];

/** Reads the files about everything but the positions and the person. A column that is unknown is kept with its name. */
export function toSections(input: InputCursor) {
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
