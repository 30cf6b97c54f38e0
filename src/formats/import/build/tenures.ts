import type { Position } from '../readers/draft.ts';
import { type Period, toPeriod } from './dates.ts';

/** A position with its dates read: `from` and `until` (null while it goes on) stand in where the source has none. */
export interface Held extends Period {
  readonly position: Position;
  readonly from: string;
  readonly until: string | null;
}

/** Positions, newest first, by company and stay: those that follow one another or overlap at one company are one stay. Newest stay first. */
export function toStays(positions: readonly Position[]): Held[][] {
  const stays: Held[][] = [];
  const staysAt = new Map<string | Position, Held[][]>();
  // The source's order, newest first as a rule, decides where dates do not.
  for (const held of toHeld(positions).reverse().sort(byTime)) {
    const [company, last] = [keyOf(held), stays.at(-1)];
    const same = staysAt.get(company) ?? [];
    const stay = same.find((each) => each === last || held.position.id !== undefined || isWithin(held, each));
    if (stay) {
      stay.push(held);
      continue;
    }
    const begun = [held];
    stays.push(begun);
    staysAt.set(company, [...same, begun]);
  }
  return stays.map((stay) => stay.reverse()).reverse();
}

/** The whole of a stay's time. */
export const spanOf = (stay: readonly Pick<Held, 'from' | 'until'>[]): { from: string; until: string | null } => ({
  from: stay.map(({ from }) => from).sort()[0]!,
  until: stay.some(({ until }) => until === null)
    ? null
    : stay
        .map(({ until }) => until!)
        .sort()
        .at(-1)!,
});

/** The years of work until a day, rounded; time that positions share counts once. */
export function yearsOf(spans: readonly Pick<Held, 'from' | 'until'>[], today: string): number {
  let days = 0;
  let counted = '';
  for (const { from, until } of spans.toSorted((one, other) => one.from.localeCompare(other.from))) {
    const start = from > counted ? from : counted;
    const end = until === null || until > today ? today : until;
    if (end <= start) continue;
    days += daysBetween(start, end);
    counted = end;
  }
  return Math.min(Math.round(days / 365.25), 100);
}

const daysBetween = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000;

/** Without a start, what goes on is taken to have begun with the latest date there is, and anything else with the earliest. */
function toHeld(positions: readonly Position[]): Held[] {
  const periods = positions.map(({ start, end }) => toPeriod(start, end));
  const dates = periods.flatMap(({ start, end, isOngoing }) => [start?.text ?? [], isOngoing ? [] : (end?.text ?? [])]);
  const known = dates.flat().sort();
  return positions.map((position, index) => {
    const { start, end, isOngoing } = periods[index]!;
    const goesOn = isOngoing && (start !== undefined || end !== undefined);
    const from = start?.text ?? (goesOn ? known.at(-1) : (end?.text ?? known[0])) ?? '2000-01-01';
    return { position, start, end, isOngoing: goesOn, from, until: goesOn ? null : (end?.text ?? from) };
  });
}

const byTime = (one: Held, other: Held) =>
  one.from.localeCompare(other.from) || (one.until ?? '9999').localeCompare(other.until ?? '9999');

/** Companies are compared without regard to case and spaces; positions without one are never at the same. */
function keyOf({ position }: Held): string | Position {
  const { id, company } = position;
  if (company === undefined) return position;
  return `${id?.text ?? ''} ${company.text.normalize('NFKC').toLowerCase().replace(/\s/g, '')}`;
}

/** Whether a position begins before a stay is over, or right after; the end of a stay that is known by its year may be anywhere in it. */
function isWithin({ from }: Held, stay: readonly Held[]): boolean {
  const { until } = spanOf(stay);
  return until === null || daysBetween(until, from) <= (until.endsWith('-01-01') ? 366 : 31);
}
