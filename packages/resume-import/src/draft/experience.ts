import { byLatestEnd, type DateSpan, endOfDate, isOrdered, toCompletedPeriod, unionOf } from 'resume-profile/dates';
import type { Profile } from 'resume-profile/profile-document';
import { byLatestJob } from 'resume-profile/profile-reader';
import { toCoarsePeriod } from '../source/dates.ts';
import { distinct, normalized, toSentences } from '../source/normalize.ts';
import { changed, omit, take } from '../source/value.ts';
import type { Draft, DraftEntry, Position } from './draft.ts';
import { type Fill, takeText, toIds } from './fill.ts';

type Entry = Profile['experience'][number];
type Role = Entry['roles'][number];

/**
 * Makes the experience of a profile: an entry for each tenure at a company, a role for each position. Both are in the
 * order of the source if that is the order of its resume, otherwise the latest first.
 */
export function toExperience({ positions = [], isInOrder }: Draft, fill: Fill): Entry[] {
  const dated = positions.flatMap(({ start, end, tenureStart, tenureEnd, ...texts }) => {
    return toDated({ start, end, tenureStart, tenureEnd, ...normalized(texts) }) ?? [];
  });
  const latestFirst = toTenures(dated);
  const tenures = isInOrder ? inOrderOf(dated, latestFirst) : latestFirst;
  const companies = tenures.map((tenure, index) => takeCompany(tenure, `experience[${index}]`, fill));
  // Oldest first, so that a later tenure at the same company gets the numbered id.
  const byAge = tenures.toSorted(byLatest).reverse();
  const names = byAge.map((tenure) => companies[tenures.indexOf(tenure)]!);
  const ids = toIds('exp', names, 'experience[].id', fill);
  return tenures.map((tenure, index) =>
    toEntry(tenure, ids[byAge.indexOf(tenure)]!, companies[index]!, `experience[${index}]`, fill),
  );
}

export const isReordered = (entries: readonly Entry[]): boolean =>
  entries.some((entry, index) => index > 0 && byLatestJob(entries[index - 1]!, entry) > 0);

/** Makes a section entry of each position without a start, because the dates of experience are required. */
export const toUndatedEntries = (positions: readonly Position[]): (DraftEntry & Pick<Position, 'section'>)[] =>
  positions
    .filter((position) => toDated(position) === undefined && !isEmpty(position))
    .map(({ company, title, about, summary, location, start, end, url, highlights, section }) => ({
      section,
      ...(title ? { name: title, organization: company } : { name: company }),
      summary: toSentences([about, summary], 'joined'),
      ...{ location, start, end, url, highlights },
    }));

const isEmpty = ({ company, title, about, summary, highlights = [] }: Position) =>
  [company, title, about, summary, ...highlights].every((value) => value === undefined);

function takeCompany(tenure: readonly DatedPosition[], field: string, fill: Fill): string {
  const [newest, ...others] = valuesOf(tenure, 'company');
  const company = takeText(newest, `${field}.company`, fill);
  for (const other of others)
    take(other.text === company ? other : changed(other, `written as “${company}”, as in the newest role there`));
  return company;
}

function toEntry(tenure: readonly DatedPosition[], id: string, company: string, field: string, fill: Fill): Entry {
  const { from, until } = takeSpan(tenure);
  const shared = isSummaryOfCompany(tenure) ? valuesOf(tenure, 'summary') : [];
  const texts = distinct([...valuesOf(tenure, 'about'), ...shared]);
  const summary = toSentences(texts, 'joined into the summary of the company');
  const { section } = tenure[0]!;
  const roles = tenure.flatMap((dated, index) => {
    const { title, location, highlights = [] } = dated;
    const ownSummary = isSummaryOfCompany(tenure) ? undefined : dated.summary;
    // If only company and dates of a lone position are known, the entry says it all.
    if (tenure.length === 1 && !title && !ownSummary && highlights.length === 0) {
      takeDates(dated, `${field}.company_`, fill);
      return [];
    }
    const role = `${field}.roles[${index}].`;
    return {
      title: takeText(title, `${role}title`, fill),
      ...takeDates(dated, role, fill),
      ...(hasOwnPlaces(tenure) && location && { location: take(location) }),
      ...(ownSummary && { summary: take(ownSummary) }),
      accomplishments: highlights.map(take),
    };
  });
  return {
    id,
    company,
    company_start_date: from,
    company_end_date: until,
    current: until === null,
    // The roles may tell what was done at the company.
    summary: summary || !roles.some(isDescribed) ? takeText(summary, `${field}.summary`, fill) : '',
    ...placeOf(tenure),
    ...(section && { section: take(section) }),
    roles,
  };
}

const isDescribed = ({ summary, accomplishments }: Role) => summary !== undefined || accomplishments.length > 0;

type Field = 'company' | 'about' | 'summary' | 'location' | 'tenureLocation' | 'url';
const valuesOf = (tenure: readonly DatedPosition[], field: Field) => tenure.flatMap((dated) => dated[field] ?? []);

/** Whether the place of the company is stated apart from the places of positions, or these differ. */
const hasOwnPlaces = (tenure: readonly DatedPosition[]) =>
  valuesOf(tenure, 'tenureLocation').length > 0 || new Set(tenure.map(({ location }) => location?.text)).size > 1;

/** The place of a company, which all positions share unless it is stated, and its site. */
function placeOf(tenure: readonly DatedPosition[]): Pick<Entry, 'location' | 'url'> {
  const [location] = distinct(valuesOf(tenure, hasOwnPlaces(tenure) ? 'tenureLocation' : 'location'));
  const [url, ...others] = distinct(valuesOf(tenure, 'url'));
  for (const other of others) omit(other, 'A company has one link');
  return { ...(location && { location: take(location) }), ...(url && { url: take(url) }) };
}

/** The time of a tenure: as the source states it, otherwise the time of its positions. */
function takeSpan(tenure: readonly DatedPosition[]): DateSpan {
  let { from, until } = unionOf(tenure);
  for (const { tenureStart, tenureEnd } of tenure) {
    const { start } = toCoarsePeriod(tenureStart, undefined);
    const { end, isOngoing } = toCoarsePeriod(undefined, tenureEnd);
    if (tenureEnd && end && (isOngoing || isOrdered(from, end.text))) {
      take(end);
      until = isOngoing ? null : end.text;
    }
    if (start && (until === null || isOrdered(start.text, until))) from = take(start);
  }
  return { from, until };
}

function takeDates({ start, end, from, until }: DatedPosition, prefix: string, fill: Fill) {
  take(start!);
  if (end) take(end);
  else if (until !== null) fill(`${prefix}end_date`, until, 'the resume has no readable end date');
  return { start_date: from, end_date: until };
}

/** Whether all positions at a company share one summary, which is then about the work there. */
const isSummaryOfCompany = (tenure: readonly DatedPosition[]) =>
  new Set(tenure.map(({ summary }) => summary?.text)).size === 1;

type DatedPosition = NonNullable<ReturnType<typeof toDated>>;

/**
 * Reads the dates of a position; undefined unless it says when it began. `until` is null if it is ongoing; an unreadable end
 * is the start.
 */
function toDated(position: Position) {
  const { start, end, company, section } = position;
  const period = toCoarsePeriod(start, end);
  if (!period.start) return undefined;
  const until = period.end?.text ?? period.start.text;
  const name = company?.text.normalize('NFKC').toLowerCase().replace(/\s/g, '');
  // The case and spaces of a name do not matter; a position without one is at a company of its own.
  const companyKey = name === undefined ? position : `${section?.text ?? ''} ${name}`;
  return { ...position, companyKey, ...period, from: period.start.text, until: period.isOngoing ? null : until };
}

/**
 * Groups positions into tenures, the times without a break at one company: its positions that overlap, or follow one
 * another without another company in between. Tenures are in the order of a profile, positions in each newest first.
 */
function toTenures(positions: readonly DatedPosition[]): DatedPosition[][] {
  const tenures: DatedPosition[][] = [];
  // Positions of equal dates keep the source's order, which is newest first as a rule.
  for (const dated of positions.toReversed().sort(byTime)) {
    const last = tenures.at(-1);
    const tenure = tenures.find(
      (each) => each[0]!.companyKey === dated.companyKey && (each === last || continuesTenure(dated, each)),
    );
    if (tenure) tenure.push(dated);
    else tenures.push([dated]);
  }
  return tenures
    .map((tenure) => tenure.reverse())
    .reverse()
    .sort(byLatest);
}

const byLatest = (one: readonly DatedPosition[], other: readonly DatedPosition[]) =>
  byLatestEnd(unionOf(one), unionOf(other));

/** Puts tenures, and the positions in each, in the order in which the source has the positions. */
function inOrderOf(positions: readonly DatedPosition[], tenures: readonly DatedPosition[][]): DatedPosition[][] {
  const placeOf = new Map(positions.map((position, index) => [position, index]));
  const byPlace = (one: DatedPosition, other: DatedPosition) => placeOf.get(one)! - placeOf.get(other)!;
  return tenures.map((tenure) => tenure.toSorted(byPlace)).sort(([one], [other]) => byPlace(one!, other!));
}

function byTime(...positions: [one: DatedPosition, other: DatedPosition]): number {
  const [one, other] = positions.map(toCompletedPeriod) as [DateSpan, DateSpan];
  return one.from.localeCompare(other.from) || (one.until ?? '9999').localeCompare(other.until ?? '9999');
}

/** Whether a position begins before a tenure ends, or within a month after. */
function continuesTenure({ from }: DatedPosition, tenure: readonly DatedPosition[]): boolean {
  const { until } = unionOf(tenure);
  return until === null || (Date.parse(from) - endOfDate(until)) / 86_400_000 <= 30;
}
