import { type DateSpan, unionOf } from '../../../model/dates.ts';
import type { Profile } from '../../../model/profile-document.ts';
import type { Position } from '../readers/draft.ts';
import { distinct, toLine, toParagraphs, toSentences } from '../source/normalize.ts';
import { changed, take, type Value } from '../source/value.ts';
import { toCompletedPeriod } from './dates.ts';
import { toIds } from './ids.ts';
import type { Fill } from './loss-report.ts';
import { type DatedPosition, toTenures } from './tenures.ts';

type Entry = Profile['experience'][number];
type Role = Entry['roles'][number];

/** Makes the experience of a profile: an entry for each tenure at a company, a role for each position, both newest first. */
export function toExperience(positions: readonly Position[], fill: Fill): Entry[] {
  const tenures = toTenures(positions.map(toPrintable).filter((position) => !isEmpty(position)));
  const named = tenures.map((tenure, index) => ({
    id: distinct(tenure.flatMap(({ position }) => position.id ?? []))[0],
    name: takeCompany(tenure, `experience[${index}]`, fill),
  }));
  // Oldest first, so that a later tenure at the same company gets the numbered id.
  const ids = toIds('exp', named.toReversed(), 'experience[].id', fill).reverse();
  return tenures.map((tenure, index) => toEntry(tenure, ids[index]!, named[index]!.name, `experience[${index}]`, fill));
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

function takeCompany(tenure: readonly DatedPosition[], field: string, fill: Fill): string {
  const [newest, ...others] = tenure.flatMap(({ position }) => position.company ?? []);
  if (newest === undefined) return fill(`${field}.company`, 'Company not named', 'an entry needs a company');
  const company = take(newest);
  for (const other of others)
    take(other.text === company ? other : changed(other, `written as “${company}”, as in the newest role there`));
  return company;
}

function toEntry(tenure: readonly DatedPosition[], id: string, company: string, field: string, fill: Fill): Entry {
  const { from, until } = takeSpan(tenure);
  const summary = toSummary(tenure);
  const roles = tenure.flatMap((dated, index) => {
    const { title } = dated.position;
    const accomplishments = accomplishmentsOf(dated, tenure);
    // If only company and dates of a lone position are known, the entry says it all.
    if (tenure.length === 1 && !title && accomplishments.length === 0) {
      takeDates(dated, `${field}.company_`, fill);
      return [];
    }
    const role = `${field}.roles[${index}].`;
    return {
      title: title ? take(title) : fill(`${role}title`, 'Professional', 'a role needs a title'),
      ...takeDates(dated, role, fill),
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
          'composed of role and company',
        ),
    roles,
  };
}

/** The time of a tenure: as the source states it, otherwise that of its positions. */
function takeSpan(tenure: readonly DatedPosition[]): DateSpan {
  let { from, until } = unionOf(tenure);
  for (const { position } of tenure) {
    const { start } = toCompletedPeriod(position.tenureStart, undefined);
    const { end, isOngoing } = toCompletedPeriod(undefined, position.tenureEnd);
    if (position.tenureEnd && end && (isOngoing || end.text >= from)) {
      take(end);
      until = isOngoing ? null : end.text;
    }
    if (start && (until === null || start.text <= until)) from = take(start);
  }
  return { from, until };
}

function takeDates(
  { start, end, from, until }: DatedPosition,
  prefix: string,
  fill: Fill,
): Pick<Role, 'start_date' | 'end_date'> {
  const start_date = start ? take(start) : fill(`${prefix}start_date`, from, 'the source has no readable start date');
  if (end) take(end);
  else if (until !== null) fill(`${prefix}end_date`, until, 'the source has no readable end date');
  return { start_date, end_date: until };
}

const summariesOf = (tenure: readonly DatedPosition[]) => tenure.flatMap(({ position }) => position.summary ?? []);

/** Joins what the company is with the newest summary and any equal to it. */
function toSummary(tenure: readonly DatedPosition[]): Value | undefined {
  const summaries = summariesOf(tenure);
  const newest = summaries.filter(({ text }) => text === summaries[0]!.text);
  const abouts = tenure.flatMap(({ position }) => position.about ?? []);
  return toSentences(distinct([...abouts, ...newest]), 'joined into the summary of the company');
}

function accomplishmentsOf(
  { position: { summary, accomplishments = [] } }: DatedPosition,
  tenure: readonly DatedPosition[],
) {
  if (!summary || summary.text === summariesOf(tenure)[0]!.text) return accomplishments;
  const how = 'used as the first accomplishment of its role, because a company has only one summary';
  return [changed(summary, how), ...accomplishments];
}
