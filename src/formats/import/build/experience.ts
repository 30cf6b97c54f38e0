import type { Profile } from '../../../model/profile-document.ts';
import type { Position } from '../readers/draft.ts';
import { changed, take, type Value } from '../source/value.ts';
import { toPeriod } from './dates.ts';
import { distinct, toLine, toParagraphs, toSentences } from './fields.ts';
import { toIds } from './ids.ts';
import type { Fill } from './loss-report.ts';
import { type Held, spanOf, toStays } from './tenures.ts';

type Entry = Profile['experience'][number];
type Role = Entry['roles'][number];

/** Positions as the profile has them: an entry a stay at a company and a role a position, newest first both. */
export function toExperience(positions: readonly Position[], fill: Fill): Entry[] {
  const stays = toStays(positions.map(toPrintable).filter((position) => !isEmpty(position)));
  const named = stays.map((stay, index) => ({
    id: distinct(stay.flatMap(({ position }) => position.id ?? []))[0],
    name: takeCompany(stay, `experience[${index}]`, fill),
  }));
  // The oldest first: a later stay of the same name takes the number.
  const ids = toIds('exp', named.toReversed(), 'experience[].id', fill).reverse();
  return stays.map((stay, index) => toEntry(stay, ids[index]!, named[index]!.name, `experience[${index}]`, fill));
}

const toPrintable = (position: Position): Position => ({
  ...position,
  company: toLine(position.company),
  title: toLine(position.title),
  about: toParagraphs(position.about),
  summary: toParagraphs(position.summary),
  accomplishments: (position.accomplishments ?? []).flatMap((each) => toLine(each) ?? []),
});

const isEmpty = ({ company, title, start, end, about, summary, accomplishments = [] }: Position) =>
  [company, title, start, end, about, summary, ...accomplishments].every((value) => value === undefined);

function takeCompany(stay: readonly Held[], field: string, fill: Fill): string {
  const [newest, ...others] = stay.flatMap(({ position }) => position.company ?? []);
  if (newest === undefined) return fill(`${field}.company`, 'Company not named', 'an entry needs a company');
  const company = take(newest);
  for (const other of others)
    take(other.text === company ? other : changed(other, `written as “${company}”, as at the newest role there`));
  return company;
}

function toEntry(stay: readonly Held[], id: string, company: string, field: string, fill: Fill): Entry {
  const { from, until } = takeSpan(stay);
  const summary = toSummary(stay);
  const roles = stay.flatMap((held, index) => {
    const { title } = held.position;
    const accomplishments = accomplishmentsOf(held, stay);
    // A lone position of which only company and dates are known is the entry itself.
    if (stay.length === 1 && !title && accomplishments.length === 0) {
      takeDates(held, `${field}.company_`, fill);
      return [];
    }
    const role = `${field}.roles[${index}].`;
    return {
      title: title ? take(title) : fill(`${role}title`, 'Professional', 'a role needs a title'),
      ...takeDates(held, role, fill),
      accomplishments: accomplishments.map(take),
    };
  });
  return {
    id,
    company,
    company_start_date: from,
    company_end_date: until,
    current: until === null,
    summary: summary
      ? take(summary)
      : fill(
          `${field}.summary`,
          `${roles[0]?.title ?? 'Work'} at ${company.replace(/\.$/, '')}.`,
          'made of the role and the company',
        ),
    roles,
  };
}

/** The time of a stay: as the source tells it, else that of its positions. */
function takeSpan(stay: readonly Held[]): ReturnType<typeof spanOf> {
  const span = spanOf(stay);
  for (const { position } of stay) {
    const { start } = toPeriod(position.stayStart, undefined);
    const { end, isOngoing } = toPeriod(undefined, position.stayEnd);
    if (position.stayEnd && end && (isOngoing || end.text >= span.from)) {
      take(end);
      span.until = isOngoing ? null : end.text;
    }
    if (start && (span.until === null || start.text <= span.until)) span.from = take(start);
  }
  return span;
}

function takeDates(
  { start, end, from, until }: Held,
  prefix: string,
  fill: Fill,
): Pick<Role, 'start_date' | 'end_date'> {
  const start_date = start
    ? take(start)
    : fill(`${prefix}start_date`, from, 'the source has no start date that can be read');
  if (end) take(end);
  else if (until !== null) fill(`${prefix}end_date`, until, 'the source has no end date that can be read');
  return { start_date, end_date: until };
}

const summariesOf = (stay: readonly Held[]) => stay.flatMap(({ position }) => position.summary ?? []);

/** The newest summary, led by what the company is; one that says the same counts with it. */
function toSummary(stay: readonly Held[]): Value | undefined {
  const summaries = summariesOf(stay);
  const newest = summaries.filter(({ text }) => text === summaries[0]!.text);
  const abouts = stay.flatMap(({ position }) => position.about ?? []);
  return toSentences(distinct([...abouts, ...newest]), 'made part of the summary of the company');
}

function accomplishmentsOf({ position: { summary, accomplishments = [] } }: Held, stay: readonly Held[]) {
  if (!summary || summary.text === summariesOf(stay)[0]!.text) return accomplishments;
  const how = 'made the first accomplishment of its role, as a company has one summary only';
  return [changed(summary, how), ...accomplishments];
}
