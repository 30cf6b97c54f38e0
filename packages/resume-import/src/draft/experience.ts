import {
  byLatestEnd,
  type DateSpan,
  endOfDate,
  isOrdered,
  startOfDate,
  toCompletedPeriod,
  unionOf,
} from 'resume-profile/dates';
import { toIds } from 'resume-profile/ids';
import type { Profile } from 'resume-profile/profile-document';
import { type Period, toCoarsePeriod } from '../source/dates.ts';
import { distinct, toBullet, toHeading, toParagraphs, toSentences, toWebAddress } from '../source/normalize.ts';
import { changed, omit, take, type Value } from '../source/value.ts';
import type { Draft, DraftEntry, Position } from './draft.ts';
import { type Fill, takeText } from './fill.ts';

type Entry = Profile['experience'][number];
type Role = Entry['roles'][number];

/**
 * Makes the experience of a profile: an entry for each tenure at a company, a role for each position. Both are in the
 * order of the source if that is the order of its resume, otherwise the latest first.
 */
export function toExperience({ positions = [], isInOrder }: Draft, fill: Fill): Entry[] {
  const dated = positions.map(toPrintable).flatMap((position) => toDated(position) ?? []);
  const latestFirst = toTenures(dated);
  const tenures = isInOrder ? inOrderOf(dated, latestFirst) : latestFirst;
  const named = tenures.map((tenure, index) => ({
    id: distinct(tenure.flatMap(({ position }) => position.id ?? []))[0],
    name: takeCompany(tenure, `experience[${index}]`, fill),
  }));
  // Oldest first, so that a later tenure at the same company gets the numbered id.
  const byAge = tenures
    .map((_, index) => index)
    .sort((one, other) => byLatest(tenures[one]!, tenures[other]!))
    .reverse();
  const ids = toIds(
    'exp',
    byAge.map((index) => named[index]!),
    'experience[].id',
    fill,
  );
  return tenures.map((tenure, index) =>
    toEntry(tenure, ids[byAge.indexOf(index)]!, named[index]!.name, `experience[${index}]`, fill),
  );
}

/** Whether entries are in another order than the latest first. */
export const isReordered = (entries: readonly Entry[]): boolean =>
  entries.some((entry, index) => index > 0 && byLatestEnd(spanOf(entries[index - 1]!), spanOf(entry)) > 0);

const spanOf = ({ company_start_date: from, company_end_date: until }: Entry): DateSpan => ({ from, until });

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

const toPrintable = (position: Position): Position => ({
  ...position,
  company: toHeading(position.company),
  title: toHeading(position.title),
  about: toParagraphs(position.about),
  summary: toParagraphs(position.summary),
  location: toHeading(position.location),
  tenureLocation: toHeading(position.tenureLocation),
  url: toWebAddress(position.url),
  highlights: (position.highlights ?? []).flatMap((each) => toBullet(each) ?? []),
});

const isEmpty = ({ company, title, about, summary, highlights = [] }: Position) =>
  [company, title, about, summary, ...highlights].every((value) => value === undefined);

function takeCompany(tenure: readonly DatedPosition[], field: string, fill: Fill): string {
  const [newest, ...others] = tenure.flatMap(({ position }) => position.company ?? []);
  const company = takeText(newest, `${field}.company`, fill);
  for (const other of others)
    take(other.text === company ? other : changed(other, `written as “${company}”, as in the newest role there`));
  return company;
}

function toEntry(tenure: readonly DatedPosition[], id: string, company: string, field: string, fill: Fill): Entry {
  const { from, until } = takeSpan(tenure);
  const summary = toCompanySummary(tenure);
  const roles = tenure.flatMap((dated, index) => {
    const { title, highlights = [] } = dated.position;
    const ownSummary = isSummaryOfCompany(tenure) ? undefined : dated.position.summary;
    // If only company and dates of a lone position are known, the entry says it all.
    if (tenure.length === 1 && !title && !ownSummary && highlights.length === 0) {
      takeDates(dated, `${field}.company_`, fill);
      return [];
    }
    const role = `${field}.roles[${index}].`;
    return {
      title: takeText(title, `${role}title`, fill),
      ...takeDates(dated, role, fill),
      ...(hasOwnPlaces(tenure) && dated.position.location && { location: take(dated.position.location) }),
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
    summary: summary || !saysMore(roles) ? takeText(summary, `${field}.summary`, fill) : '',
    ...placeOf(tenure),
    ...toSection(tenure[0]!.position),
    roles,
  };
}

const toSection = ({ section }: Position) => section && { section: take(section) };

const valuesOf = (tenure: readonly DatedPosition[], field: 'location' | 'tenureLocation' | 'url') =>
  tenure.flatMap(({ position }) => position[field] ?? []);

/** Whether positions have a place apart from that of the company, or have different ones. */
const hasOwnPlaces = (tenure: readonly DatedPosition[]) =>
  valuesOf(tenure, 'tenureLocation').length > 0 ||
  new Set(tenure.map(({ position }) => position.location?.text)).size > 1;

/** The place of a company, which is that of all positions unless it is stated, and its site. */
function placeOf(tenure: readonly DatedPosition[]): Pick<Entry, 'location' | 'url'> {
  const [location] = distinct(valuesOf(tenure, hasOwnPlaces(tenure) ? 'tenureLocation' : 'location'));
  const [url, ...others] = distinct(valuesOf(tenure, 'url'));
  for (const other of others) omit(other, 'A company has one link');
  return { ...(location && { location: take(location) }), ...(url && { url: take(url) }) };
}

/** The time of a tenure: as the source states it, otherwise that of its positions. */
function takeSpan(tenure: readonly DatedPosition[]): DateSpan {
  let { from, until } = unionOf(tenure);
  for (const { position } of tenure) {
    const { start } = toCoarsePeriod(position.tenureStart, undefined);
    const { end, isOngoing } = toCoarsePeriod(undefined, position.tenureEnd);
    if (position.tenureEnd && end && (isOngoing || isOrdered(from, end.text))) {
      take(end);
      until = isOngoing ? null : end.text;
    }
    if (start && (until === null || isOrdered(start.text, until))) from = take(start);
  }
  return { from, until };
}

function takeDates(
  { start, end, from, until }: DatedPosition,
  prefix: string,
  fill: Fill,
): Pick<Role, 'start_date' | 'end_date'> {
  take(start!);
  if (end) take(end);
  else if (until !== null) fill(`${prefix}end_date`, until, 'the resume has no readable end date');
  return { start_date: from, end_date: until };
}

/** Whether the summary of a position, which it shares with all others there, is about the work at the company. */
function isSummaryOfCompany(tenure: readonly DatedPosition[]): boolean {
  const [first, ...others] = tenure.map(({ position }) => position);
  return first?.id === undefined && others.every(({ summary }) => summary?.text === first?.summary?.text);
}

/** Joins the description of the company with the summary that is about all positions there. */
function toCompanySummary(tenure: readonly DatedPosition[]): Value | undefined {
  const shared = isSummaryOfCompany(tenure) ? tenure.flatMap(({ position }) => position.summary ?? []) : [];
  const abouts = tenure.flatMap(({ position }) => position.about ?? []);
  return toSentences(distinct([...abouts, ...shared]), 'joined into the summary of the company');
}

/** Whether roles tell what was done at their company. */
const saysMore = (roles: readonly Role[]) =>
  roles.some(({ summary, accomplishments }) => summary !== undefined || accomplishments.length > 0);

/** A position with a start. `until` is null while it goes on; an unreadable end is that of the start's period. */
interface DatedPosition extends Period {
  readonly position: Position;
  readonly from: string;
  readonly until: string | null;
}

/** Reads the dates of a position; undefined unless it says when it began. */
function toDated(position: Position): DatedPosition | undefined {
  const { start, end } = position;
  const period = toCoarsePeriod(start, end);
  if (!period.start) return undefined;
  const until = period.end?.text ?? period.start.text;
  return { position, ...period, from: period.start.text, until: period.isOngoing ? null : until };
}

/**
 * Groups positions into tenures, the times without a break at one company: its positions that overlap, or follow one
 * another without another company in between. Tenures are in the order of a profile, positions in each newest first.
 */
function toTenures(positions: readonly DatedPosition[]): DatedPosition[][] {
  const tenures: DatedPosition[][] = [];
  const tenuresAt = new Map<string | Position, DatedPosition[][]>();
  // Positions of equal dates keep the source's order, which is newest first as a rule.
  for (const dated of positions.toReversed().sort(byTime)) {
    const [company, last] = [companyKeyOf(dated), tenures.at(-1)];
    const atCompany = tenuresAt.get(company) ?? [];
    const tenure = atCompany.find(
      (each) => each === last || dated.position.id !== undefined || continuesTenure(dated, each),
    );
    if (tenure) {
      tenure.push(dated);
      continue;
    }
    const begun = [dated];
    tenures.push(begun);
    tenuresAt.set(company, [...atCompany, begun]);
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

/** A key of the position's company, whatever its case and spaces; unique for a position without company and id. */
function companyKeyOf({ position }: DatedPosition): string | Position {
  const { id, company, section } = position;
  if (company === undefined && id === undefined) return position;
  return `${section?.text ?? ''} ${id?.text ?? ''} ${(company?.text ?? '').normalize('NFKC').toLowerCase().replace(/\s/g, '')}`;
}

/** Whether a position begins before a tenure ends, or within a month after. */
function continuesTenure({ from }: DatedPosition, tenure: readonly DatedPosition[]): boolean {
  const { until } = unionOf(tenure);
  return until === null || (startOfDate(from) - endOfDate(until)) / 86_400_000 <= 30;
}
