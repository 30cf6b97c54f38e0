import { z } from 'zod';
import { calendarOf } from '../../model/calendar.ts';
import { countedOpeningOf } from '../../model/link.ts';
import { isPdfLink, type Presence, toCurrentEvents, type VisitEvent, visitsOf } from '../../model/visit.ts';
import { readVisitor, type VisitorKey } from '../../model/visitor.ts';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

/** The last `days` days to the end of today, in the time zone; without `days`, all that is kept. */
export const Period = z.object({ days: z.int().positive().optional(), zone: z.string() });
type Period = z.output<typeof Period>;

/** Returns the first instant of a period, 1970 if it has none. */
export const startOf = ({ days, zone }: Period, now: Date): Date =>
  days === undefined ? new Date(0) : calendarOf(zone).startOfDay(now, 1 - days);

type Trace = Pick<Presence, 'visitor' | 'record'>;

const isOfLink = ({ visitor }: Trace): boolean => readVisitor(visitor).kind === 'link';

/** Returns the id that visits are counted by: of the token or, for a link, of the openings from one network. */
const countedAs = (trace: Trace): string => (isOfLink(trace) ? countedOpeningOf(trace.record) : trace.record);

/** Groups events into visits, the latest first: the events of one token without a pause of 30 minutes. */
export const toVisits = (events: readonly (VisitEvent & Trace)[]) =>
  [...Map.groupBy(events, countedAs).values()]
    .flatMap((ofToken) => visitsOf(ofToken))
    .map((visit) => ({
      startedAt: visit[0]!.at,
      endedAt: new Date(Math.max(...visit.map(({ until }) => until.getTime()))),
      /** The client programs as they called themselves, the latest first. */
      clients: [...new Set(visit.toReversed().flatMap(({ client }) => client ?? []))],
      events: toCurrentEvents(visit),
    }))
    .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime());
export type Visit = ReturnType<typeof toVisits>[number];

/** Returns a function that looks up the events of one of the visitors since an instant, the oldest first. */
export async function eventsOfEach(
  visitors: readonly VisitorKey[],
  since: Date,
  { store }: OwnerServices,
  maxEvents = 100_000,
) {
  const events = await store.readers.eventsOf(visitors, since, maxEvents);
  const byVisitor = Map.groupBy(events, ({ visitor }) => visitor);
  return (visitor: VisitorKey) => byVisitor.get(visitor) ?? [];
}

/** Counts the openings of the page, the PDFs or links to one, and the messages among events. */
export function countActs(events: readonly VisitEvent[]) {
  const count = (is: (event: VisitEvent) => boolean) => events.filter(is).reduce((sum, event) => sum + event.count, 0);
  return {
    openings: count(({ operation }) => operation === 'page'),
    pdfs: count((event) => event.operation === 'pdf' || isPdfLink(event)),
    messages: count(({ operation }) => operation === 'message'),
  };
}

/** The maximum of bars in a chart; if a period has more days, each bar is of whole weeks. */
const maxBars = 92;
const minBars = 7;

export const countVisits = ownerOperation({
  name: 'count_visits',
  summary:
    'How many people came within a period, how often, and how many got the PDF; the same of the period before it, and how many only asked for access.',
  input: Period,
  async handle(period, { store: { readers }, reads, keepContactsSeconds, now }: DeskServices) {
    const today = now();
    const { startOfDay, daysBetween } = calendarOf(period.zone);
    const end = startOfDay(today, 1);
    const days = period.days ?? Math.max(minBars, daysBetween((await readers.firstAt()) ?? today, today) + 1);
    const from = startOfDay(today, 1 - days);
    const beforeFrom = startOfDay(today, 1 - 2 * days);
    const keptSince = today.getTime() - Math.min(reads.keepSeconds, keepContactsSeconds) * 1_000;
    const isBeforeKept = period.days !== undefined && beforeFrom.getTime() >= keptSince;
    const presence = await readers.presence(from, end);
    return {
      ...totalsOf(presence),
      bars: barsOf(presence, days, (day) => startOfDay(today, day)),
      /** Null if a part of it is not kept any more. */
      before: isBeforeKept ? totalsOf(await readers.presence(beforeFrom, from)) : null,
      /** How many people were seen, but neither read nor wrote; null if they are too many to count. */
      idle: await readers.count({ since: startOf(period, today), hasVisited: false }),
      /** Whether all of the period is kept. */
      is_whole: period.days === undefined || from.getTime() >= keptSince,
    };
  },
});

/** Returns the visits of each token: their first instant, and who came. */
const startsOf = (presence: readonly Presence[]): Pick<Presence, 'visitor' | 'record' | 'at'>[] =>
  [...Map.groupBy(presence, countedAs).values()].flatMap((ofToken) => visitsOf(ofToken).map(([first]) => first!));

/** Counts people: a link has one for each network and hour, with the clients connected from there. */
export const countPeople = (traces: readonly Trace[]): number =>
  new Set(traces.map((trace) => (isOfLink(trace) ? countedAs(trace) : trace.visitor))).size;

const totalsOf = (presence: readonly Presence[]) => ({
  people: countPeople(presence),
  visits: startsOf(presence).length,
  /** How many people got the PDF, or the link to it. */
  withPdf: countPeople(presence.filter(({ hasPdf }) => hasPdf)),
});

/** Returns bars with the first instants of their first and last days; `startOfDay` counts from today. */
function barsOf(presence: readonly Presence[], days: number, startOfDay: (day: number) => Date) {
  const daysOfBar = days <= maxBars ? 1 : 7 * Math.ceil(days / 7 / maxBars);
  const count = Math.ceil(days / daysOfBar);
  const bars = Array.from({ length: count }, (_, index) => {
    const lastDay = (index + 1 - count) * daysOfBar;
    // The first bar may have fewer days.
    return { from: startOfDay(Math.max(lastDay + 1 - daysOfBar, 1 - days)), lastDay: startOfDay(lastDay) };
  });
  const visitsIn = Map.groupBy(startsOf(presence), ({ at }) => bars.findLast(({ from }) => from <= at));
  return bars.map((bar) => {
    const visits = visitsIn.get(bar) ?? [];
    return { ...bar, visits: visits.length, people: countPeople(visits) };
  });
}
