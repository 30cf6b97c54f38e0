import type { InputCursor } from '../../source/input-cursor.ts';
import { changed, joined } from '../../source/value.ts';
import { toItems } from '../bullets.ts';
import type { Draft, Format, Position } from '../draft.ts';
import { toHandles, toLinks } from './links.ts';
import { inWords, restOf, toRow } from './row.ts';
import { toSections } from './sections.ts';

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
