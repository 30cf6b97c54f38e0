import type { InputCursor } from '../source/input-cursor.ts';
import { changed, joined, type Value } from '../source/value.ts';
import { toItems } from './bullets.ts';
import type { Draft, Format, Position } from './draft.ts';
import { profileUrlOf } from './networks.ts';

/** The archive of CSV files that LinkedIn gives its members as their data; archive.ts says which of them are read. */
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

/** The cells of a row by column, without the few HTML entities that LinkedIn writes. */
const toRow =
  (place: InputCursor): Row =>
  (column) => {
    const cell = place.text(column);
    const text = cell?.text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
    return cell && text !== cell.text ? changed(cell, 'HTML entities made characters', text) : cell;
  };

/** What a description says before its bullets is the summary; its bullets, or all its lines without any, are accomplishments. */
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
    summary: summary && changed(summary, 'what comes before the bullets taken as a summary'),
    accomplishments: texts.slice(lead),
  };
}

/** Older exports have `LIMITED_WORKING`. */
const toFluency = (value: Value | undefined): Value | undefined =>
  value && /^[A-Z]+(_[A-Z]+)*$/.test(value.text) ? changed(value, 'written in words', toWords(value.text)) : value;

const toWords = (name: string) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

// An address may hold a comma itself.
const commaBeforeSite = /,(?=\s*(?:[A-Z][A-Z_]*:|https?:|[\w-]+\.\w))/;

/** Of `[PERSONAL:https://ada.example,OTHER:https://github.com/ada]`, each with or without its kind. */
const toLinks = (value: Value | undefined) =>
  listIn(value, commaBeforeSite).map((site) => {
    const [, kind = 'OTHER', url = ''] = /^(?:([A-Z][A-Z_]*):)?(.*)$/s.exec(site.text)!;
    return {
      label: kind === 'OTHER' ? undefined : { ...site, text: toWords(kind) },
      url: changed(site, `made the link ${url}`, url),
    };
  });

const toHandles = (value: Value | undefined) =>
  listIn(value, /,/).map((handle) => ({ label: literal('X'), url: profileUrlOf(literal('x'), handle) }));

/** The parts of a list in brackets. */
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

/** Why what the profile has no field for is not carried over. */
function explainUnmapped(input: InputCursor): void {
  const leave = (why: string, file: string, ...columns: string[]) => {
    for (const row of input.items(file))
      for (const place of columns.length > 0 ? columns.map(row.at) : [row]) place.leave(why);
  };
  leave('The profile has one summary', 'Profile Summary.csv');
  leave('A company has no place or address in the profile', 'Positions.csv', 'Location');
  leave('A project has no dates, roles or kind in the profile', 'Projects.csv', 'Started On', 'Finished On');
  leave('The profile has the primary e-mail address alone', 'Email Addresses.csv');
  leave('The profile has one phone number alone', 'PhoneNumbers.csv');
  leave('A certification has no end or number in the profile', 'Certifications.csv', 'Finished On', 'License Number');
  for (const file of ['Honors.csv', 'Volunteering.csv'])
    leave('The profile has no volunteer work, awards, interests or references', file);
  for (const file of ['Courses.csv', 'Organizations.csv', 'Patents.csv', 'TestScores.csv'])
    leave('The profile has no courses, organizations, patents or test scores', file);
}
