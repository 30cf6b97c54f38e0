import type { InputCursor } from '../source/input-cursor.ts';
import { changed, joined, type Value } from '../source/value.ts';
import { toItems } from './bullets.ts';
import type { Draft, Format, Position } from './draft.ts';
import { profileUrlOf } from './networks.ts';

/** The archive of CSV files that LinkedIn members can download; archive.ts lists the files that are read. */
export const linkedIn: Format = {
  name: 'LinkedIn data export',
  description: 'its ZIP archive, with Profile.csv, Positions.csv and the like',
  recognises: (input) =>
    input.keys.some((key) => key.endsWith('.csv') && input.items(key).some(({ kind }) => kind === 'object')),
  toDraft(input) {
    explainUnmapped(input);
    const rows = (file: string) => input.items(file).map(toRow);
    const profile = toRow(input.items('Profile.csv')[0] ?? input.at('Profile.csv'));
    return {
      name: joined([profile('First Name'), profile('Last Name')], ' ', 'first and last name joined'),
      title: profile('Headline'),
      location: profile('Geo Location'),
      summary: profile('Summary') ?? rows('Profile Summary.csv')[0]?.('Profile Summary'),
      domains: [profile('Industry') ?? []].flat(),
      positions: rows('Positions.csv').map(toPosition),
      projects: rows('Projects.csv').map((project) => ({
        name: project('Title'),
        summary: project('Description'),
        urls: [project('Url') ?? []].flat(),
      })),
      skills: rows('Skills.csv').flatMap((skill) => skill('Name') ?? []),
      email: primaryOf(input.items('Email Addresses.csv'))?.text('Email Address'),
      phone: rows('PhoneNumbers.csv').flatMap((phone) => phone('Number') ?? [])[0],
      links: [...toLinks(profile('Websites')), ...toHandles(profile('Twitter Handles'))],
      education: rows('Education.csv').map((education) => ({
        institution: education('School Name'),
        degree: education('Degree Name'),
        start: education('Start Date'),
        end: education('End Date'),
        details: [education('Notes'), education('Activities')].flatMap(toItems).map(({ item }) => item),
      })),
      certifications: rows('Certifications.csv').map((certification) => ({
        name: certification('Name'),
        issuer: certification('Authority'),
        date: certification('Started On'),
        url: certification('Url'),
      })),
      languages: rows('Languages.csv').map((language) => ({
        language: language('Name'),
        fluency: toFluency(language('Proficiency')),
      })),
      publications: rows('Publications.csv').map((publication) => ({
        name: publication('Name'),
        publisher: publication('Publisher'),
        date: publication('Published On'),
        url: publication('Url'),
        summary: publication('Description'),
      })),
    } satisfies Draft;
  },
};

type Row = (column: string) => Value | undefined;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Reads the cells of a row by column, and decodes the few HTML entities that LinkedIn writes. */
const toRow =
  (row: InputCursor): Row =>
  (column) => {
    const cell = row.text(column);
    const text = cell?.text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
    return cell && text !== cell.text ? changed(cell, 'HTML entities decoded', text) : cell;
  };

/** The text of a description before its bullets becomes the summary; the bullets, or all lines if it has none, become accomplishments. */
function toPosition(row: Row): Position {
  const items = toItems(row('Description'));
  const lead = Math.max(
    items.findIndex(({ isBullet }) => isBullet),
    0,
  );
  const texts = items.map(({ item }) => item);
  const summary = joined(texts.slice(0, lead), '\n', 'lines joined');
  return {
    company: row('Company Name'),
    title: row('Title'),
    start: row('Started On'),
    end: row('Finished On'),
    summary: summary && changed(summary, 'the text before the bullets used as the summary'),
    accomplishments: texts.slice(lead),
  };
}

/** Writes a level such as `LIMITED_WORKING`, which older exports have, as words. */
const toFluency = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written as words', toWords(value.text)) : value;

const toWords = (name: string) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

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

const toHandles = (value: Value | undefined) =>
  listIn(value, /,/).map((handle) => ({ label: literal('X'), url: profileUrlOf(literal('x'), handle) }));

/** Splits a list in brackets. */
const listIn = (value: Value | undefined, separator: RegExp): Value[] =>
  (value?.text ?? '')
    .replace(/[[\]]/g, '')
    .split(separator)
    .flatMap((text) => (text.trim() === '' ? [] : { ...value!, text: text.trim() }));

const literal = (text: string): Value => ({ text, parts: [] });

function primaryOf(emails: readonly InputCursor[]): InputCursor | undefined {
  const isYes = (column: string) => (row: InputCursor) => /^yes$/i.test(row.text(column)?.text ?? '');
  return emails.find(isYes('Primary')) ?? emails.find(isYes('Confirmed')) ?? emails[0];
}

/** Explains why columns without a counterpart in the profile are not carried over. */
function explainUnmapped(input: InputCursor): void {
  const explain = (why: string, file: string, ...columns: string[]) => {
    for (const row of input.items(file))
      for (const cursor of columns.length > 0 ? columns.map(row.at) : [row]) cursor.explain(why);
  };
  explain('The profile has one summary', 'Profile Summary.csv');
  explain('A company has no location or link in the profile', 'Positions.csv', 'Location');
  explain('A project has no dates, roles or kind in the profile', 'Projects.csv', 'Started On', 'Finished On');
  explain('The profile has only the primary e-mail address', 'Email Addresses.csv');
  explain('The profile has only one phone number', 'PhoneNumbers.csv');
  explain(
    'A certification has no end date or number in the profile',
    'Certifications.csv',
    'Finished On',
    'License Number',
  );
  for (const file of ['Honors.csv', 'Volunteering.csv'])
    explain('The profile has no volunteer work, awards, interests or references', file);
  for (const file of ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'])
    explain('The profile has no courses, organizations, patents or test scores', file);
}
